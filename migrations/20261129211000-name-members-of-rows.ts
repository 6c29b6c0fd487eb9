import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

const TABLES = ['orders', 'client_webhook_configs', 'leads', 'lead_assignments'] as const

/**
 * Orders, webhooks and leads of one person of an account (docs/product.md §10); null: shared. On an assignment it is
 * written when the assignment ends, and names the person who had the lead until then. No foreign keys: the statement
 * that sells a lead would have to lock the person's row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES)
    await sql`alter table ${sql.table(table)} add column if not exists member_user_id uuid`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES)
    await sql`alter table ${sql.table(table)} drop column member_user_id`.execute(db)
}

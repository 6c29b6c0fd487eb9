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
    await takeInAnInstant(db, `alter table ${table} add column if not exists member_user_id uuid`)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES)
    await takeInAnInstant(db, `alter table ${table} drop column if exists member_user_id`)
}

/** Runs a statement that needs the table for itself; nobody waits behind it for long. */
async function takeInAnInstant(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql`
    do $do$
    begin
      loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          ${sql.raw(statement)};
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $do$`.execute(db)
}

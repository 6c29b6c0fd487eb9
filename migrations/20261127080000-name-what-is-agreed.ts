import { sql, type Kysely } from 'kysely'

/**
 * An agreement names its payment method, and whether it also covers a balance that no longer pays for a lead.
 * An older server stores neither: its agreement is about the card saved at that moment, and about the
 * threshold only.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table auto_recharge_agreements add column method_id text check (length(method_id) between 1 and 255),
      add column covers_price boolean not null default false`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table auto_recharge_agreements drop column method_id, drop column covers_price`.execute(db)
}

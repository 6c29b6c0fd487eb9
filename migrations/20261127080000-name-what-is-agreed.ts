import { sql, type Kysely } from 'kysely'

/**
 * An agreement names the way of paying that it is about, and whether it also covers a balance that no longer pays for a lead. What an
 * older server keeps names neither: it is about the card that was kept at that moment, and about the threshold alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table auto_recharge_agreements add column method_id text check (length(method_id) between 1 and 255),
      add column covers_price boolean not null default false`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table auto_recharge_agreements drop column method_id, drop column covers_price`.execute(db)
}

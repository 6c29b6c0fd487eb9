import { sql, type Kysely } from 'kysely'

/** Since when late leads of a type are credited: leads that were sold before are not. Null: no such time is known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lead_types add column if not exists late_credit_since timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lead_types drop column late_credit_since`.execute(db)
}

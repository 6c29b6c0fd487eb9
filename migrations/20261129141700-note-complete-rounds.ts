import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/**
 * Unsold leads are offered newest first, and a change of demand begins a new round. The time of the last round that
 * reached the oldest lead is noted, so that one does so every five minutes (core/data/market/sale/unsold-leads.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lead_types add column if not exists offered_all_at timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lead_types drop column offered_all_at`.execute(db)
}

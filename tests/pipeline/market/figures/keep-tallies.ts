import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { localMoment } from '#core/domain/market/local-moment.ts'
import { addToTally, EMPTY_TALLY } from '#core/domain/market/tally.ts'

/** Tells the orders what the sales would have told them, the oldest first. */
export async function keepTallies(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ order_id: string; timezone: string; assigned_at: Date }>`
    select order_id, timezone, assigned_at from lead_assignments a join orders o on o.id = a.order_id
    order by assigned_at, a.id`.execute(db)
  const tallies = new Map<string, typeof EMPTY_TALLY>()
  for (const { order_id: id, timezone, assigned_at: at } of rows)
    tallies.set(id, addToTally(tallies.get(id) ?? EMPTY_TALLY, 0, localMoment(timezone, at)))
  await sql`update order_tallies set day = '-infinity', day_leads = 0, week = '-infinity', week_leads = 0,
    month = '-infinity', month_leads = 0, total_leads = 0`.execute(db)
  for (const [id, tally] of tallies)
    await sql`
      update order_tallies set day = ${tally.day}, day_leads = ${tally.day_leads}, week = ${tally.week}, week_leads = ${tally.week_leads},
        month = ${tally.month}, month_leads = ${tally.month_leads}, total_leads = ${tally.total_leads}
      where order_id = ${id}`.execute(db)
}

import { sql, type Kysely } from 'kysely'
import { expect } from 'vitest'
import { keepRevenueDay, type RevenueDay } from '#core/data/market/money/revenue-days.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import { addDays, localMoment } from '#core/domain/market/local-moment.ts'
import { showRevenue } from '#server/market/admin/money/show-money.ts'
import type { Rows } from './history-acts.ts'

const cents = (amount: string) => Math.round(Number(amount) * 100)

/** Stores the sums of these of the last three past days. */
export async function keepSomeDays(db: Kysely<Database>, chosen: readonly number[]): Promise<void> {
  await sql`truncate revenue_days`.execute(db)
  const { rows } = await sql<RevenueDay>`
    select day::date::text as day, day at time zone z as begins, (day + interval '1 day') at time zone z as ends
    from (values (${ADMINISTRATION_ZONE}::text)) zone (z),
      generate_series(date_trunc('day', now() at time zone z) - interval '3 days', date_trunc('day', now() at time zone z) - interval '1 day', interval '1 day') as day`.execute(
    db,
  )
  for (const [index, day] of rows.entries()) if (chosen.includes(index)) await keepRevenueDay(db, day)
}

/** The revenue of each group equals the entries behind it, whether days are stored or not. */
export async function compareRevenue(db: Kysely<Database>, { ledger }: Rows): Promise<void> {
  const dayOf = (at: Date) => localMoment(ADMINISTRATION_ZONE, at).date
  const to = dayOf(new Date())
  const from = addDays(to, -3)
  const keys = {
    day: ({ created_at }) => dayOf(created_at),
    client: ({ client }) => client,
    lead_type: ({ lead_type }) => lead_type,
    state: ({ state }) => state,
    source: ({ source }) => source,
  } satisfies Record<string, (entry: Rows['ledger'][number]) => string | null>
  for (const by of Object.keys(keys) as (keyof typeof keys)[]) {
    const expected = Map.groupBy(ledger, keys[by])
    const { data } = await showRevenue(db, { by, from, to })
    const read = data.map(({ key, sold, sales, returned, credits }) => ({
      key,
      sold,
      sales: cents(sales),
      returned,
      credits: cents(credits),
    }))
    expect(new Set(read), by).toEqual(
      new Set(
        [...expected].map(([key, entries]) => {
          const bought = entries.filter(({ amount }) => Number(amount) < 0)
          const back = entries.filter(({ amount }) => Number(amount) > 0)
          const sum = (of: Rows['ledger']) => of.reduce((all, { amount }) => all + Math.abs(cents(amount)), 0)
          return {
            key,
            sold: bought.length,
            sales: sum(bought),
            returned: back.filter(({ kind }) => kind === 'lead_return').length,
            credits: sum(back),
          }
        }),
      ),
    )
  }
}

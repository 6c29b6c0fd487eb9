import { sql, type Kysely } from 'kysely'
import { expect } from 'vitest'
import type { DeliverySeries, Overview } from '#core/contract/operations/overview.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { Rows } from './history-acts.ts'

/** Fill rate: the leads that an order got ÷ its cap, by the day, week and month of the order's zone. */
export async function compareFill(db: Kysely<Database>, shown: Overview['fill']): Promise<void> {
  const { rows } = await sql<{ id: string; per: string; leads: number; cap: number }>`
    select o.id, per, cap, (
      select count(*)::int from lead_assignments a
      where a.order_id = o.id and (per = 'total'
        or date_trunc(per, a.assigned_at at time zone o.timezone) = date_trunc(per, now() at time zone o.timezone))) as leads
    from orders o cross join lateral (
      values ('day', o.daily_cap), ('week', o.weekly_cap), ('month', o.monthly_cap), ('total', o.total_cap)) caps (per, cap)
    where cap is not null`.execute(db)
  const read = shown.flatMap(({ order_id: id, caps }) => caps.map((cap) => ({ id, ...cap })))
  expect(rows.length, 'orders have caps').toBeGreaterThan(0)
  expect(new Set(read), 'fill rates').toEqual(
    new Set(rows.map(({ leads, cap, ...row }) => ({ ...row, leads, cap, fill_rate: leads / cap }))),
  )
}

/** Duplicates of each source: leads in that were refused as such. */
export function compareSources(leads: Rows['leads'], shown: Overview['sources']): void {
  const bySource = Map.groupBy(
    leads.filter(({ user_id }) => user_id === null),
    ({ source_id }) => source_id,
  )
  const read = shown.map(({ source_id, leads_in, duplicates, duplicate_share }) => [
    source_id,
    leads_in,
    duplicates,
    duplicate_share,
  ])
  const expected = [...bySource].map(([source, its]) => {
    const duplicates = its.filter(({ status }) => status === 'duplicate').length
    return [source, its.length, duplicates, duplicates / its.length]
  })
  expect(new Set(read), 'sources').toEqual(new Set(expected))
}

/** First-attempt success and time to CRM of the deliveries that were planned in a span; resends do not count. */
export function compareHealth({ deliveries }: Rows, { hour, day }: Overview['health']): void {
  const counted = deliveries.filter(({ state, resend_of }) => state !== 'cancelled' && resend_of === null)
  for (const series of [hour, day]) {
    const begins = series.points.map(({ at }) => Date.parse(at))
    const between = (from = 0, to = Number.POSITIVE_INFINITY) =>
      counted.filter(({ created_at: at }) => at.getTime() >= from && at.getTime() < to)
    expectHealth(series, between(begins[0]))
    for (const [index, point] of series.points.entries())
      expectHealth(point, between(begins[index], begins[index + 1]))
  }
}

function expectHealth(shown: Omit<DeliverySeries, 'points'>, its: Rows['deliveries']): void {
  const delivered = its.filter(({ state }) => state === 'delivered')
  const first = delivered.filter(({ attempt }) => attempt === 1).length
  expect(shown).toMatchObject({
    deliveries: its.length,
    first_attempt_rate: its.length === 0 ? null : first / its.length,
  })
  const took = delivered
    .map(({ created_at: began, finished_at: ended }) => (ended?.getTime() ?? 0) - began.getTime())
    .toSorted((a, b) => a - b)
  for (const [length, share] of [
    [shown.median_ms, 0.5],
    [shown.p95_ms, 0.95],
  ] as const) {
    const exact = took[Math.ceil(share * took.length) - 1]
    if (exact === undefined) expect(length).toBeNull()
    // Lengths are kept to about 3 %, and never below a millisecond.
    else expect(Math.abs((length ?? NaN) - exact)).toBeLessThanOrEqual(Math.max(1, 0.03 * exact))
  }
}

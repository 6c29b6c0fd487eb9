import fc from 'fast-check'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSlices } from '#core/concurrency/slices.ts'
import { openDatabase } from '#core/data/database.ts'
import { keepHour, listHoursToCount } from '#core/data/operations/overview/kept-hours.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { countDeliveries, readDay } from '#core/domain/webhooks/rate-deliveries.ts'
import { SLICES } from '#core/fairness/limits.ts'
import type { ServerContext } from '#server/context.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { showAnalytics } from '#server/market/analytics/show-analytics.ts'
import { showDeliveries } from '#server/market/analytics/show-deliveries.ts'
import { showDashboard } from '#server/market/show-dashboard.ts'
import { createSumSources } from '#server/operations/admin/overview/sum-sources.ts'
import { showOverview } from '#server/operations/admin/overview/show-overview.ts'
import { listEndpointHealth } from '#server/webhooks/show-endpoint-health.ts'
import { givenOrder, topUp } from '#tests/support/given/market.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { givenSourceOf } from '#tests/support/given/posted-leads.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'
import { compareFill, compareHealth, compareSources } from './compare-overview.ts'
import { compareRevenue, keepSomeDays } from './compare-revenue.ts'
import { HISTORY_ACTS, readRows, type HistoryStep, type Rows } from './history-acts.ts'

const HOUR_MS = 3_600_000
const PERIOD = { days: 7, from: undefined, to: undefined }

let database: TestDatabase
let db: Kysely<Database>
let close: () => Promise<void>
let clients: string[]
let context: ServerContext
beforeAll(async () => {
  database = await createTestDatabase()
  const opened = openDatabase({ url: database.url, poolSize: 4, name: 'figures-test' }, () => undefined)
  db = opened.db
  close = opened.close
  clients = [await givenClient(db), await givenClient(db)]
  // Each history begins without entries.
  await sql`alter table balance_ledger disable trigger keep_ledger_whole`.execute(db)
  for (const client of clients)
    await sql`
      insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
      select ${client}, 'CRM ' || n, 'https://crm.example.com/leads', '{}', 'none' from generate_series(1, 2) n`.execute(
      db,
    )
  for (const [client, timezone] of [
    [clients[0], 'Pacific/Honolulu'],
    [clients[1], 'Asia/Kathmandu'],
  ] as const) {
    const order = await givenOrder(db, client ?? '', { timezone, daily_cap: 3, total_cap: 20 })
    await sql`update orders set weekly_cap = 7, monthly_cap = 11 where id = ${order}`.execute(db)
  }
  await sql`update client_accounts set status = 'active'`.execute(db)
  for (const client of clients) await givenSourceOf(db, client)
  const inSlices = createSlices(SLICES.mostMs, () => performance.now())
  // The figures need no more of the context than this.
  context = {
    db,
    inSlices,
    operations: { readQueueState: () => Promise.resolve(null), sumSources: createSumSources(db) },
    proxies: { seen: () => [] },
  } as unknown as ServerContext
})
afterAll(async () => {
  await close()
  await database.drop()
})

const cents = (amount: string) => Math.round(Number(amount) * 100)
const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)
/** Sums what the ledger moved for leads. */
const moved = (ledger: readonly { amount: string }[]) => sum(ledger.map(({ amount }) => 0 - cents(amount)))

/** The figures of a span by their definitions (docs/product.md §2), from the rows alone. */
function define({ leads, sales, returns, ledger }: Rows, begins: number, ends: number) {
  const isWithin = (at: Date) => at.getTime() >= begins && at.getTime() < ends
  const came = leads.filter(({ created_at, user_id }) => isWithin(created_at) && user_id === null)
  const isSold = (lead: string) =>
    sales.some(({ lead_id, assigned_at }) => lead_id === lead && assigned_at.getTime() < ends)
  const revenue = moved(ledger.filter(({ created_at }) => isWithin(created_at)))
  return {
    leads_in: came.length,
    sold: sales.filter(({ assigned_at }) => isWithin(assigned_at)).length,
    unsold: came.filter(({ id }) => !isSold(id)).length,
    returned: returns.filter(({ decided_at }) => decided_at !== null && isWithin(decided_at)).length,
    revenue,
    margin: revenue - sum(came.map(({ cost }) => cents(cost ?? '0'))),
  }
}

/** Deliveries of a client that count: not cancelled, and not sent again. */
function listCounted({ deliveries }: Rows, client: string) {
  const own = deliveries.filter((one) => one.client_user_id === client && one.state !== 'cancelled')
  return own.filter((one) => !own.some(({ resend_of }) => resend_of === one.id))
}

/** @param isFresh whether stored hours were counted after the last delivery ended; they are counted again later */
async function compareOverview(rows: Rows, isFresh: boolean) {
  const shown = await showOverview(context)
  const at = (iso: string | undefined) => Date.parse(iso ?? '')
  const read = ({ revenue, margin, ...counts }: (typeof shown)['today']) => ({
    ...counts,
    revenue: cents(revenue),
    margin: cents(margin),
  })
  const hours = shown.hours.map(({ at: began, ...figures }) => [began, read(figures)])
  expect(hours).toEqual(
    shown.hours.map(({ at: began }) => [began, define(rows, at(began), at(began) + HOUR_MS)]),
  )
  const { rows: days } = await sql<{ today: Date; yesterday: Date; same: Date }>`
    select today, yesterday, yesterday + (now() - today) as same from (
      select date_trunc('day', now() at time zone z) at time zone z as today,
        (date_trunc('day', now() at time zone z) - interval '1 day') at time zone z as yesterday
      from (values (${shown.timezone}::text)) zone (z)) days`.execute(db)
  const [day] = days
  if (day === undefined) throw new Error('PostgreSQL told no day')
  expect(read(shown.today), 'today').toEqual(define(rows, day.today.getTime(), Number.POSITIVE_INFINITY))
  expect(read(shown.yesterday), 'yesterday').toEqual(
    define(rows, day.yesterday.getTime(), day.same.getTime()),
  )
  expect(sum(shown.sources.map(({ revenue }) => cents(revenue)))).toBe(moved(rows.ledger))
  compareSources(rows.leads, shown.sources)
  await compareFill(db, shown.fill)
  if (isFresh) compareHealth(rows, shown.health)
}

async function compareClients(rows: Rows) {
  let kept = 0
  for (const client of clients) {
    const caller = { user_id: client } as Principal
    const { totals } = await showAnalytics(context, caller, { ...PERIOD, order: undefined })
    const own = rows.sales.filter(({ client_user_id }) => client_user_id === client)
    const back = rows.returns.filter(({ client_user_id }) => client_user_id === client)
    const deliveries = listCounted(rows, client)
    const delivered = deliveries.filter(({ state }) => state === 'delivered').length
    const rate = deliveries.length === 0 ? null : delivered / deliveries.length
    expect(totals, 'analytics').toMatchObject({
      leads: own.length,
      returned: back.length,
      attempted: deliveries.length,
      delivered,
      delivery_rate: rate,
    })
    kept += cents(totals.spend) - cents(totals.refunded)
    const { all } = await showDeliveries(context, caller, PERIOD)
    expect([all.leads, all.spend, all.delivery_rate], 'enterprise').toEqual([
      totals.leads,
      totals.spend,
      rate,
    ])
    expect((await showDashboard(context, caller)).leads.last_7_days, 'dashboard').toBe(own.length)
    await compareLogs(rows, caller)
  }
  expect(kept, 'what all clients spent, less what came back').toBe(moved(rows.ledger))
}

/** The dashboard adds up these days of endpoints; each webhook's log shows its own. */
async function compareLogs(rows: Rows, caller: Principal) {
  const health = await listEndpointHealth(context, caller)
  for (const endpoint of health) {
    const own = rows.deliveries.filter(({ webhook_config_id: id }) => id === endpoint.webhook_config_id)
    const isLost = (id: string) =>
      !own.some(({ resend_of, state }) => resend_of === id && state !== 'cancelled')
    const day = {
      delivered: own.filter(({ state, is_recent }) => state === 'delivered' && is_recent).length,
      lost: own.filter(({ id, state, is_recent }) => state === 'failed' && is_recent && isLost(id)).length,
      waiting: own.filter(({ state }) => state === 'pending' || state === 'held').length,
    }
    expect(readDay(endpoint)).toMatchObject(day)
    // Delivered ÷ all, waiting ones included, without the product's own function.
    const all = day.delivered + day.lost + day.waiting
    expect(endpoint.day.success_rate).toBe(all === 0 ? null : day.delivered / all)
    expect(countDeliveries(readDay(endpoint))).toBe(all)
  }
}

async function compareAll({ isFresh = false } = {}): Promise<number> {
  const rows = await readRows(db)
  await compareOverview(rows, isFresh)
  await compareClients(rows)
  await compareRevenue(db, rows)
  return rows.sales.length
}

test('each figure on the overview, analytics, dashboard, logs, enterprise dashboard and revenue equals the rows behind it', async () => {
  const step = fc.record({
    what: fc.constantFrom(...(Object.keys(HISTORY_ACTS) as (keyof typeof HISTORY_ACTS)[])),
    lead: fc.nat(9),
    client: fc.nat(1),
    value: fc.nat(40),
    minutes: fc.integer({ min: 0, max: 2800 }),
  }) satisfies fc.Arbitrary<HistoryStep & { what: keyof typeof HISTORY_ACTS }>
  const history = fc.record({
    past: fc.array(step, { minLength: 20, maxLength: 60 }),
    keeps: fc.array(fc.nat(50), { maxLength: 40 }),
    later: fc.array(step, { maxLength: 10 }),
  })
  let sales = 0
  await fc.assert(
    fc.asyncProperty(history, async ({ past, keeps, later }) => {
      await sql`truncate leads, late_leads, events, webhook_deliveries, overview_hours, lead_day_sums, lead_day_changes, webhook_endpoint_hours, balance_ledger cascade`.execute(
        db,
      )
      for (const client of clients) await topUp(db, client, '100000.00')
      for (const { what, ...one } of past) await HISTORY_ACTS[what]({ db, clients }, one)
      const hours = await listHoursToCount(db)
      for (const hour of keeps.flatMap((index) => hours[index] ?? [])) await keepHour(db, hour)
      await keepSomeDays(db, keeps)
      await compareAll({ isFresh: true })
      // Nothing that happens from now on changes a past hour.
      for (const { what, ...one } of later)
        if (what !== 'bring' && what !== 'own')
          await HISTORY_ACTS[what]({ db, clients }, { ...one, minutes: 0 })
      sales += await compareAll()
    }),
    { numRuns: 15 },
  )
  expect(sales, 'the histories hold sales').toBeGreaterThan(3)
}, 240_000)

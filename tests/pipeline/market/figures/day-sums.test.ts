import fc from 'fast-check'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { tallyLeads, type TalliedLeads } from '#core/data/market/figures/analytics.ts'
import { tallyDeliveries } from '#core/data/market/figures/delivery-figures.ts'
import { removeDayChanges, type LeadSums } from '#core/data/market/figures/day-sums.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { addDays, localMoment, whenDateBegins } from '#core/domain/market/local-moment.ts'
import { SLICES } from '#core/fairness/limits.ts'
import { createSlices } from '#core/concurrency/slices.ts'
import { listDays } from '#server/market/analytics/list-days.ts'
import { tallyPeriod } from '#server/market/analytics/tally-period.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'
import { ACTS, pick, type Step } from './day-sum-acts.ts'

const REACHED = { contacted: ['contacted', 'sold'], sold: ['sold'] }
const ZONES = ['America/New_York', 'Asia/Kathmandu', 'Pacific/Honolulu']

let database: TestDatabase
let db: Kysely<Database>
let close: () => Promise<void>
let clients: string[]
let config: string
beforeAll(async () => {
  database = await createTestDatabase()
  const opened = openDatabase({ url: database.url, poolSize: 4, name: 'day-sums-test' }, () => undefined)
  db = opened.db
  close = opened.close
  clients = [await givenClient(db), await givenClient(db)]
  const { rows } = await sql<{ id: string }>`
    insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    values (${clients[0]}, 'Example CRM', 'https://crm.example.com/leads', '{}', 'none') returning id`.execute(
    db,
  )
  config = rows[0]?.id ?? ''
})
afterAll(async () => {
  await close()
  await database.drop()
})

/** A period of whole days that ended some days ago. */
function periodOf(client: string, zone: string, { days, ago }: { days: number; ago: number }) {
  const last = addDays(localMoment(zone, new Date()).date, -ago)
  const first = addDays(last, 1 - days)
  const [begins, ends] = [whenDateBegins(zone, first), whenDateBegins(zone, addDays(last, 1))]
  return { of: { client, zone, begins, ends }, period: { zone, from: first, to: last, begins, ends } }
}

const listAll = (period: ReturnType<typeof periodOf>['period']) =>
  listDays(
    createSlices(SLICES.mostMs, () => performance.now()),
    period,
  )

const inOrder = ({ tallies, deliveries }: LeadSums) => {
  const place = ({ group, key }: TalliedLeads) => `${group} ${key ?? ''}`
  return { deliveries, tallies: tallies.toSorted((a, b) => place(a).localeCompare(place(b))) }
}

/** Compares the stored sums with those counted anew. */
async function compare(client: string, zone: string, span: { days: number; ago: number }): Promise<number> {
  const { of, period } = periodOf(client, zone, span)
  const kept = await tallyPeriod(db, of, await listAll(period), REACHED, { many: 0 })
  const counted = { tallies: await tallyLeads(db, of, REACHED), deliveries: await tallyDeliveries(db, of) }
  expect(inOrder(kept)).toEqual(inOrder(counted))
  return counted.tallies.find(({ group }) => group === 'all')?.leads ?? 0
}

const place = () => ({ db, clients, config })

async function look(step: Step): Promise<void> {
  const span = { days: 1 + (step.value % 12), ago: step.lead % 3 }
  await compare(pick(clients, step.client), pick(ZONES, step.value % 2), span)
}

test('stored day sums equal a new count, whatever happens to their leads and deliveries', async () => {
  const names = [...(Object.keys(ACTS) as (keyof typeof ACTS)[]), 'look'] as const
  const step = fc.record({
    what: fc.constantFrom(...names),
    // Few leads, so that several acts meet one lead; some are of past days and one of today.
    lead: fc.integer({ min: 2, max: 5 }),
    client: fc.nat(1),
    value: fc.nat(20),
  })
  let [counted, kept] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await sql`truncate leads, late_leads, lead_day_sums, lead_day_changes cascade`.execute(db)
      const { rows } = await sql<{ id: string }>`
        insert into leads (created_at, state, lead_type, source)
        select now() - n * interval '29 hours', 'TX', 'auto', 'form ' || n % 2 from generate_series(0, 9) n returning id`.execute(
        db,
      )
      const ids = rows.map(({ id }) => id)
      const sell = (lead: number): Step => ({ lead, client: lead % 2, value: 10 + lead })
      for (const one of [...ids.keys()].map(sell)) await ACTS.sell(place(), ids, one)
      for (const one of steps) {
        if (one.what === 'look') await look(one)
        else await ACTS[one.what](place(), ids, one)
        // The sums stored by then must notice later changes.
        for (const client of clients) await compare(client, 'America/New_York', { days: 14, ago: 0 })
      }
      for (const client of clients)
        for (const zone of ZONES) counted += await compare(client, zone, { days: 14, ago: 0 })
      kept += Number(
        (await sql<{ n: string }>`select count(*) as n from lead_day_sums`.execute(db)).rows[0]?.n,
      )
    }),
    { numRuns: 12 },
  )
  expect(counted).toBeGreaterThan(100)
  expect(kept).toBeGreaterThan(100)
}, 240_000)

test('a change by an attempt is noted for a lead of a past day, and for no other lead', async () => {
  await sql`truncate leads, lead_day_sums, lead_day_changes cascade`.execute(db)
  const step = { client: 0, value: 0 } as const
  const { rows } = await sql<{ id: string }>`
    insert into leads (created_at, lead_type, assigned_to, price_charged, status)
    select now() - n * interval '1 day', 'auto', ${clients[0]}, 20, 'assigned' from generate_series(0, 2) n returning id`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  const noted = async () => (await sql`select from lead_day_changes`.execute(db)).rows.length
  // A lead that was stored with an old date is noted as well.
  await sql`truncate lead_day_changes`.execute(db)
  for (const lead of [0, 1]) await ACTS.deliver(place(), ids, { ...step, lead })
  expect(await noted()).toBe(0)
  await ACTS.deliver(place(), ids, { ...step, lead: 2 })
  expect(await noted()).toBe(1)
  // Another version leaves the note to the trigger.
  await sql`update webhook_deliveries set state = 'failed' where lead_id = any(${ids}::uuid[])`.execute(db)
  expect(await noted()).toBe(2)
})

test('a late lead is noted once it is credited: judging and removing others voids no sum', async () => {
  await sql`truncate leads, late_leads, lead_day_sums, lead_day_changes cascade`.execute(db)
  await sql`
    insert into leads (created_at, lead_type, assigned_to, price_charged, status)
    select now() - n * interval '9 days', 'auto', ${clients[0]}, 20, 'assigned' from generate_series(1, 2) n`.execute(
    db,
  )
  await sql`
    insert into late_leads (assignment_id, lead_id, client_user_id, lead_type, received_at, sold_at, planned_at, begun_at, parts,
      ours_ms, price, credit, wait_until)
    select uuid_v7(), id, assigned_to, 'auto', created_at, created_at, created_at, created_at, '[]', 6000, 20, 'waiting', now() from leads`.execute(
    db,
  )
  await sql`truncate lead_day_changes`.execute(db)
  const noted = async () => (await sql`select from lead_day_changes`.execute(db)).rows.length
  const [first, second] = (await sql<{ id: string }>`select assignment_id as id from late_leads`.execute(db))
    .rows
  await sql`update late_leads set credit = 'none', wait_until = null where assignment_id = ${first?.id}`.execute(
    db,
  )
  await sql`delete from late_leads where assignment_id = ${first?.id}`.execute(db)
  expect(await noted()).toBe(0)

  await sql`
    update late_leads set credit = 'credited', credited_at = now(), wait_until = null where assignment_id = ${second?.id}`.execute(
    db,
  )
  expect(await noted()).toBe(1)
  await sql`delete from late_leads where assignment_id = ${second?.id}`.execute(db)
  expect(await noted()).toBe(2)
})

test('a sum that was counted during a change becomes void once the change is committed', async () => {
  await sql`truncate leads, lead_day_sums, lead_day_changes cascade`.execute(db)
  const client = clients[0] ?? ''
  await sql`
    insert into leads (created_at, lead_type, assigned_to, price_charged, status)
    select now() - n * interval '1 day', 'auto', ${client}, 20, 'assigned' from generate_series(5, 8) n`.execute(
    db,
  )
  const span = { days: 10, ago: 0 }
  const { of, period } = periodOf(client, 'UTC', span)
  const look = async () => (await tallyPeriod(db, of, await listAll(period), REACHED, { many: 0 })).tallies
  const spent = (rows: TalliedLeads[]) => rows.find(({ group }) => group === 'all')?.spend
  await db.transaction().execute(async (trx) => {
    await sql`update leads set price_charged = 30`.execute(trx)
    expect(spent(await look())).toBe('80.00')
    // The stored sums are used and not counted again.
    await sql`update lead_day_sums set tallies = replace(tallies::text, '20.00', '21.00')::jsonb`.execute(db)
    expect(spent(await look())).toBe('84.00')
  })
  expect(spent(await look())).toBe('120.00')
  expect(await compare(client, 'UTC', span)).toBe(4)
})

test('stored sums from another cluster, from which a dump was restored, are not used', async () => {
  await sql`truncate leads, lead_day_sums, lead_day_changes cascade`.execute(db)
  const client = clients[0] ?? ''
  await sql`
    insert into leads (created_at, lead_type, assigned_to, price_charged, status)
    select now() - n * interval '1 day', 'auto', ${client}, 20, 'assigned' from generate_series(5, 8) n`.execute(
    db,
  )
  const span = { days: 10, ago: 0 }
  expect(await compare(client, 'UTC', span)).toBe(4)
  // The other cluster has seen more transactions than this one.
  await sql`
    update lead_day_sums set snapshot = '4000000000:4000000000:',
      form = replace(form, (select system_identifier::text from pg_control_system()), '1')`.execute(db)
  await sql`update leads set price_charged = 30`.execute(db)
  expect(await compare(client, 'UTC', span)).toBe(4)
  // Nor are they used if a dump of this cluster is restored there, where new changes get smaller numbers.
  const isHere = sql`form like '% ' || (select system_identifier from pg_control_system())`
  await sql`update lead_day_sums set form = '1 contacted,sold sold 1' where day = (select min(day) from lead_day_sums)`.execute(
    db,
  )
  await removeDayChanges(db, new Date(0))
  const { rows } = await sql<{
    here: boolean
  }>`select ${isHere} as here from lead_day_sums group by 1`.execute(db)
  expect(rows).toEqual([{ here: true }])
})

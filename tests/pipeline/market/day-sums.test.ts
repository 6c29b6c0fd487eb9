import fc from 'fast-check'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { tallyDeliveries, tallyLeads, type TalliedLeads } from '#core/data/market/figures/analytics.ts'
import { removeDayChanges, type LeadSums } from '#core/data/market/figures/day-sums.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { addDays, localMoment, whenDateBegins } from '#core/domain/market/local-moment.ts'
import { SLICES } from '#core/fairness/limits.ts'
import { createSlices } from '#core/pace/slices.ts'
import { listDays } from '#server/market/analytics/list-days.ts'
import { tallyPeriod } from '#server/market/analytics/tally-period.ts'
import { attemptRecord, claimAt } from '#tests/support/given/attempt-record.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

const DAY_MS = 86_400_000
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

/** Claims that delivery. Meanwhile whatever else of the endpoint is due is claimed, and none of it waits for longer than a lease. */
async function claimWith(id: string): Promise<ClaimedDelivery> {
  const seen: string[] = []
  for (;;) {
    const claimed = await claimAt(db, config)
    const found = claimed.find((delivery) => delivery.delivery_id === id)
    if (found !== undefined) return found
    if (claimed.length === 0) throw new Error(`delivery ${id} was not claimed, ${seen.length} others were`)
    seen.push(...claimed.map((delivery) => delivery.delivery_id))
  }
}

/** A period of whole days that ends so many days ago. */
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

/** What is looked up beside what is counted anew. */
async function compare(client: string, zone: string, span: { days: number; ago: number }): Promise<number> {
  const { of, period } = periodOf(client, zone, span)
  const kept = await tallyPeriod(db, of, await listAll(period), REACHED, { many: 0 })
  const counted = { tallies: await tallyLeads(db, of, REACHED), deliveries: await tallyDeliveries(db, of) }
  expect(inOrder(kept)).toEqual(inOrder(counted))
  return counted.tallies.find(({ group }) => group === 'all')?.leads ?? 0
}

interface Step {
  what: keyof typeof STEPS
  /** which lead, by its number */
  lead: number
  client: number
  value: number
}

const pick = <T>(list: readonly T[], value: number): T => list[value % list.length] as T
const ofLead = (ids: readonly string[], { lead }: Step) => pick(ids, lead)

/** Whatever becomes of a lead, as the product's own statements leave it; done twice, it changes nothing or as much again. */
const STEPS = {
  bring: async (_ids: readonly string[], step: Step) => {
    await sql`
      insert into leads (created_at, lead_type, state, status, assigned_to, price_charged)
      values (now() - ${step.lead} * interval '1 day', 'auto', 'TX', 'assigned', ${pick(clients, step.client)}, ${step.value})`.execute(
      db,
    )
  },
  sell: async (ids: readonly string[], step: Step) => {
    const [id, client] = [ofLead(ids, step), pick(clients, step.client)]
    await sql`
      update lead_assignments set state = ${pick(['revoked', 'returned'], step.value)} where lead_id = ${id} and state = 'active'`.execute(
      db,
    )
    await sql`
      with sold as (
        update leads set assigned_to = ${client}, status = 'assigned', price_charged = ${step.value} + 0.25 where id = ${id} returning id, created_at)
      insert into lead_assignments (lead_id, client_user_id, price, assigned_at)
      select id, ${client}, ${step.value} + 0.25, created_at + interval '1 minute' from sold`.execute(db)
  },
  take: async (_ids: readonly string[], step: Step) => {
    await sql`
      insert into lead_assignments (lead_id, client_user_id, disposition, assigned_at)
      select id, assigned_to, ${pick(['sold', 'contacted'], step.value)}, created_at from leads l
      where assigned_to is not null and not exists (select from lead_assignments a where a.lead_id = l.id and a.state = 'active')
      limit 1`.execute(db)
  },
  work: async (ids: readonly string[], step: Step) => {
    const disposition = pick(['new', 'contacted', 'sold', 'bad_number'], step.value)
    await sql`
      update lead_assignments set disposition = ${disposition} where lead_id = ${ofLead(ids, step)} and state = 'active'`.execute(
      db,
    )
  },
  giveBack: async (ids: readonly string[], step: Step) => {
    await sql`
      insert into lead_returns (assignment_id, lead_id, client_user_id, reason, status)
      select id, lead_id, client_user_id, 'wrong_state', ${pick(['pending', 'approved'], step.value)} from lead_assignments where lead_id = ${ofLead(ids, step)} and state = 'active'
      on conflict do nothing`.execute(db)
  },
  decide: async (ids: readonly string[], step: Step) => {
    const status = pick(['approved', 'denied', 'pending'], step.value)
    await sql`update lead_returns set status = ${status} where lead_id = ${ofLead(ids, step)}`.execute(db)
  },
  send: async (ids: readonly string[], step: Step) => {
    await sql`
      with told as (
        insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
        select 'lead.assigned', id, assigned_to, now(), now() from leads where id = ${ofLead(ids, step)} and assigned_to is not null
        returning id, lead_id, client_user_id)
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, attempt, state)
      select id, 'lead.assigned', ${config}, client_user_id, lead_id, 1, ${pick(['delivered', 'failed'], step.value)} from told`.execute(
      db,
    )
  },
  attempt: async (ids: readonly string[], step: Step) => {
    const state = pick(['delivered', 'failed', 'pending', 'cancelled'], step.value)
    await sql`
      update webhook_deliveries set attempt = attempt + 1, state = ${state} where lead_id = ${ofLead(ids, step)}`.execute(
      db,
    )
  },
  deliver: async (ids: readonly string[], step: Step) => {
    const { rows } = await sql<{ id: string }>`
      with told as (
        insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
        select 'lead.assigned', id, assigned_to, now(), now() from leads where id = ${ofLead(ids, step)} and assigned_to is not null
        returning id, lead_id, client_user_id)
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
      select id, 'lead.assigned', ${config}, client_user_id, lead_id from told returning id`.execute(db)
    // Others of the endpoint may wait for longer, and are its claim then.
    for (const { id } of rows) {
      const delivery = await claimWith(id)
      const state = pick(['delivered', 'failed', 'pending'] as const, step.value)
      const fields = { attempt: delivery.attempt, state, retry_in_seconds: state === 'pending' ? 60 : null }
      await recordAttempts(db, [attemptRecord(delivery, delivery.lease_token, fields)])
    }
  },
  resend: async (ids: readonly string[], step: Step) => {
    await sql`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of)
      select event_id, event_type, webhook_config_id, client_user_id, lead_id, id from webhook_deliveries
      where lead_id = ${ofLead(ids, step)} and state = 'failed' limit 1`.execute(db)
  },
  forgetDeliveries: async (ids: readonly string[], step: Step) => {
    await sql`delete from webhook_deliveries where lead_id = ${ofLead(ids, step)}`.execute(db)
  },
  erase: async (ids: readonly string[], step: Step) => {
    await sql`
      update leads set status = 'redacted', redacted_at = now(), state = null, source = null where id = ${ofLead(ids, step)}`.execute(
      db,
    )
  },
  change: async (ids: readonly string[], step: Step) => {
    await sql`
      update leads set state = ${pick(['TX', 'CA', null], step.value)}, is_test = ${step.value % 5 === 0},
        created_at = created_at - ${step.value} * interval '7 hours'
      where id = ${ofLead(ids, step)}`.execute(db)
  },
  remove: async (ids: readonly string[], step: Step) => {
    await sql`delete from leads where id = ${ofLead(ids, step)}`.execute(db)
  },
  forgetChanges: async () => {
    await removeDayChanges(db, new Date(Date.now() + DAY_MS))
  },
  look: async (_ids: readonly string[], step: Step) => {
    const span = { days: 1 + (step.value % 12), ago: step.lead % 3 }
    await compare(pick(clients, step.client), pick(ZONES, step.value % 2), span)
  },
}

test('sums that are kept of days are those of a new count, whatever becomes of their leads and deliveries', async () => {
  const names = Object.keys(STEPS) as (keyof typeof STEPS)[]
  const step = fc.record({
    what: fc.constantFrom(...names),
    // Few, so that one thing follows another; some of days that are over, and one of which is not.
    lead: fc.integer({ min: 2, max: 5 }),
    client: fc.nat(1),
    value: fc.nat(20),
  })
  let [counted, kept] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await sql`truncate leads, lead_day_sums, lead_day_changes cascade`.execute(db)
      const { rows } = await sql<{ id: string }>`
        insert into leads (created_at, state, lead_type, source)
        select now() - n * interval '29 hours', 'TX', 'auto', 'form ' || n % 2 from generate_series(0, 9) n returning id`.execute(
        db,
      )
      const ids = rows.map(({ id }) => id)
      const sell = (lead: number): Step => ({ what: 'sell', lead, client: lead % 2, value: 10 + lead })
      for (const one of [...ids.keys()].map(sell)) await STEPS.sell(ids, one)
      for (const one of steps) {
        await STEPS[one.what](ids, one)
        // What was kept by then has to notice it.
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

test('what an attempt changes is noted of leads that came long ago, and of no others', async () => {
  await sql`truncate leads, lead_day_sums, lead_day_changes cascade`.execute(db)
  const step = { what: 'deliver', client: 0, value: 0 } as const
  const { rows } = await sql<{ id: string }>`
    insert into leads (created_at, lead_type, assigned_to, price_charged, status)
    select now() - n * interval '1 day', 'auto', ${clients[0]}, 20, 'assigned' from generate_series(0, 2) n returning id`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  const noted = async () => (await sql`select from lead_day_changes`.execute(db)).rows.length
  // That one came long ago is noted as well.
  await sql`truncate lead_day_changes`.execute(db)
  for (const lead of [0, 1]) await STEPS.deliver(ids, { ...step, lead })
  expect(await noted()).toBe(0)
  await STEPS.deliver(ids, { ...step, lead: 2 })
  expect(await noted()).toBe(1)
  // As a version does that leaves it to the trigger.
  await sql`update webhook_deliveries set state = 'failed' where lead_id = any(${ids}::uuid[])`.execute(db)
  expect(await noted()).toBe(2)
})

test('a sum that was counted while a change was under way does not hold once that is there', async () => {
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
    // What was kept is taken, not counted again.
    await sql`update lead_day_sums set tallies = replace(tallies::text, '20.00', '21.00')::jsonb`.execute(db)
    expect(spent(await look())).toBe('84.00')
  })
  expect(spent(await look())).toBe('120.00')
  expect(await compare(client, 'UTC', span)).toBe(4)
})

test('sums that were kept in another cluster, from which a dump was restored, do not hold', async () => {
  await sql`truncate leads, lead_day_sums, lead_day_changes cascade`.execute(db)
  const client = clients[0] ?? ''
  await sql`
    insert into leads (created_at, lead_type, assigned_to, price_charged, status)
    select now() - n * interval '1 day', 'auto', ${client}, 20, 'assigned' from generate_series(5, 8) n`.execute(
    db,
  )
  const span = { days: 10, ago: 0 }
  expect(await compare(client, 'UTC', span)).toBe(4)
  // That cluster has seen more transactions than this one.
  await sql`
    update lead_day_sums set snapshot = '4000000000:4000000000:',
      form = replace(form, (select system_identifier::text from pg_control_system()), '1')`.execute(db)
  await sql`update leads set price_charged = 30`.execute(db)
  expect(await compare(client, 'UTC', span)).toBe(4)
  // Nor where a dump of this one is restored there, whose changes have smaller numbers.
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

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { claimDeliveries } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { findLeased, planPlainly } from '#core/data/webhooks/deliveries/plan-plain.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { countWaiting } from '#tests/support/given/lock-waits.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
let client: string
let endpoint: string

beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  client = await givenClient(pipeline.db)
  endpoint = await givenEndpoint()
})

async function givenEndpoint(fields: { is_active?: boolean } = {}): Promise<string> {
  const url = { endpoint_url: 'https://crm.example.com/', trigger_on_lead_created: true }
  return (await givenConfig(pipeline.context, client, { ...url, ...fields })).id
}

/** Creates `lead.created` events of new leads of the client. */
async function givenEvents(count: number): Promise<string[]> {
  const events: string[] = []
  for (let index = 0; index < count; index += 1) {
    const lead = await givenLead(pipeline.db, client)
    const told = await pipeline.db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()
    events.push(...told.map(({ id }) => id))
  }
  return events.toSorted()
}

const slotsAt = (id: string, count: number) => ({
  webhook_config_id: id,
  lease_tokens: Array.from({ length: count }, () => randomUUID()),
})

async function plan(
  events: readonly string[],
  slots: ReadonlyArray<ReturnType<typeof slotsAt>>,
  { turn = 0, db = pipeline.db } = {},
) {
  return await planPlainly(
    db,
    events.map((id) => ({ event_id: id, turn })),
    { slots, leaseSeconds: 30, mostOfEvent: 4, patienceMs: undefined },
  )
}

const readDeliveries = async () =>
  await pipeline.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'event_id', 'state', 'lease_token', 'offered_until'])
    .select(sql<number>`extract(epoch from lease_until - created_at)::float8`.as('lease_seconds'))
    .where('client_user_id', '=', client)
    .orderBy('event_id')
    .execute()

test('a planning statement claims as many deliveries as slots are reserved, in the order of their events; the others wait', async () => {
  const events = await givenEvents(3)
  const slots = slotsAt(endpoint, 2)
  const { claimed, due, others } = await plan(events, [slots])
  expect(claimed.map((one) => [one.event_id, one.lease_token])).toEqual([
    [events[0], slots.lease_tokens[0]],
    [events[1], slots.lease_tokens[1]],
  ])
  expect(due.map((one) => one.event_id)).toEqual([events[2]])
  expect(others).toEqual([])
  expect(await readDeliveries()).toMatchObject([
    { state: 'pending', lease_token: slots.lease_tokens[0], lease_seconds: 30 },
    { state: 'pending', lease_token: slots.lease_tokens[1], lease_seconds: 30 },
    { state: 'pending', lease_token: null },
  ])
})

test('a delivery that is claimed while it is planned has the same content as one that is claimed later', async () => {
  const { claimed } = await plan(await givenEvents(1), [slotsAt(endpoint, 1)])
  await sql`update webhook_deliveries set lease_token = null, lease_until = null`.execute(pipeline.db)
  const request = { webhook_config_id: endpoint, most: 1, most_low_priority: 1, low_priority_first: false }
  const [again] = await claimDeliveries(pipeline.db, [request], 30)
  const [planned] = claimed
  expect(again?.deliveries).toHaveLength(1)
  expect({ ...planned, lease_token: '', claimed_at: undefined }).toEqual({
    ...again?.deliveries[0],
    lease_token: '',
    claimed_at: undefined,
  })
})

test('a planning statement claims nothing at low priority, behind an older delivery, with an open breaker, or for a webhook that is sent alone', async () => {
  const waiting = await plan(await givenEvents(1), [])
  expect(waiting.due).toHaveLength(1)
  expect((await plan(await givenEvents(1), [slotsAt(endpoint, 1)])).claimed).toEqual([])

  const burst = await givenEndpoint()
  const inTurn = await plan(await givenEvents(1), [slotsAt(burst, 1)], { turn: 3 })
  expect(inTurn.claimed).toEqual([])

  for (const health of [{ breaker: 'open' as const }, { alone_until: new Date(Date.now() + 60_000) }]) {
    const ill = await givenEndpoint()
    await pipeline.db
      .insertInto('webhook_endpoint_health')
      .values({ webhook_config_id: ill, ...health })
      .execute()
    const { claimed, due } = await plan(await givenEvents(1), [slotsAt(ill, 1)])
    expect(claimed).toEqual([])
    expect(due.map((one) => one.webhook_config_id)).toContain(ill)
  }
})

test('a planning statement reads no other delivery, however many wait or were sent to the same endpoint', async () => {
  const { db, context } = pipeline
  // One connection, which keeps the plan that it made while nothing waited.
  const { database } = context.config
  const own = openDatabase({ ...database, poolSize: 1, name: 'test', byKey: true }, () => undefined)
  onTestFinished(() => own.close())
  const [other, fresh, lead] = [await givenEndpoint(), await givenEndpoint(), await givenLead(db, client)]
  const insertAt = (config: string, state: string) =>
    sql`
    with told as (
      insert into events (type, lead_id, client_user_id, planned_at, enqueued_at)
      select 'lead.created', ${lead}, ${client}, now(), now() from generate_series(1, 2000) returning id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, next_attempt_at)
    select id, 'lead.created', ${config}, ${client}, ${lead}, ${state}, case when ${state} = 'pending' then now() end from told`.execute(
      db,
    )
  await insertAt(fresh, 'delivered')
  await sql`analyze webhook_deliveries`.execute(db)
  await plan(await givenEvents(1), [slotsAt(fresh, 1)], { db: own.db })
  await sql`update webhook_deliveries set state = 'delivered', next_attempt_at = null where webhook_config_id = ${fresh}`.execute(
    db,
  )
  await insertAt(other, 'pending')
  const read = async () => {
    // An idle backend reports its reads at most once a second.
    await sql`select pg_stat_force_next_flush()`.execute(own.db)
    const { rows } = await sql<{ tuples: string }>`
      select sum(idx_tup_fetch + seq_tup_read) as tuples from pg_stat_user_tables where relname = 'webhook_deliveries'`.execute(
      own.db,
    )
    return Number(rows[0]?.tuples)
  }
  const events = await givenEvents(1)
  const before = await read()
  const { claimed } = await plan(events, [slotsAt(fresh, 1)], { db: own.db })
  expect(claimed).toHaveLength(1)
  expect((await read()) - before).toBeLessThan(100)
})

test('a planning statement that waited for a lock claims nothing, because a webhook may have been switched off meanwhile', async () => {
  const { db } = pipeline
  const [first = '', second = ''] = [endpoint, await givenEndpoint()].toSorted()
  const [event = ''] = await givenEvents(1)
  let planned: ReturnType<typeof plan> | undefined
  await db.transaction().execute(async (trx) => {
    await sql`select from client_webhook_configs where id = ${first} for update`.execute(trx)
    planned = plan([event], [slotsAt(first, 1), slotsAt(second, 1)])
    await waitUntil(async () => (await countWaiting(db)) > 0, { what: 'the statement waiting' })
    await db
      .updateTable('client_webhook_configs')
      .set({ is_active: false })
      .where('id', '=', second)
      .execute()
    // Measured by PostgreSQL's clock, like in the statement.
    await sql`select pg_sleep(0.15)`.execute(trx)
  })
  const { claimed, due } = (await planned) ?? { claimed: [], due: [] }
  expect(claimed).toEqual([])
  expect(due.map((one) => one.webhook_config_id).toSorted()).toEqual([first, second])
  // The next claim finds it switched off.
  const request = { webhook_config_id: second, most: 1, most_low_priority: 1, low_priority_first: false }
  expect((await claimDeliveries(db, [request], 30))[0]).toEqual({ deliveries: [], found: 1 })
  expect((await readDeliveries()).map(({ state }) => state).toSorted()).toEqual(['held', 'pending'])
})

test('a delivery held for a webhook that is off gets no lease, even if a slot was reserved', async () => {
  await pipeline.db
    .updateTable('client_webhook_configs')
    .set({ is_active: false })
    .where('id', '=', endpoint)
    .execute()
  const { claimed, due } = await plan(await givenEvents(1), [slotsAt(endpoint, 1)])
  expect([claimed, due]).toEqual([[], []])
  expect(await readDeliveries()).toMatchObject([{ state: 'held', lease_token: null }])
})

test('deliveries in flight, planned for later or sent alone do not prevent a claim at the same endpoint', async () => {
  const { db } = pipeline
  for (const fields of [
    { lease_token: randomUUID(), lease_until: new Date(Date.now() + 60_000) },
    { next_attempt_at: new Date(Date.now() + 60_000) },
    { lost_leases: 2 },
  ]) {
    const own = await givenEndpoint()
    const before = await plan(await givenEvents(1), [])
    const there = before.due.find((one) => one.webhook_config_id === own)
    await db
      .updateTable('webhook_deliveries')
      .set(fields)
      .where('id', '=', there?.delivery_id ?? '')
      .execute()
    const { claimed } = await plan(await givenEvents(1), [slotsAt(own, 1)])
    expect(claimed.map((one) => one.webhook_config_id)).toEqual([own])
  }
})

test('an event that is already planned is not claimed again, however many slots there are', async () => {
  const events = await givenEvents(2)
  await plan(events, [slotsAt(endpoint, 1)])
  const again = await plan(events, [slotsAt(endpoint, 2)])
  expect(again.claimed).toEqual([])
  // The other delivery is already leased.
  expect(again.due.map((one) => one.event_id)).toEqual(events.slice(1))
  expect((await readDeliveries()).map((one) => one.lease_token !== null)).toEqual([true, false])
})

test('after a lost answer, the statement’s tokens find the deliveries that it leased, and the leases begin again', async () => {
  const events = await givenEvents(3)
  const slots = slotsAt(endpoint, 2)
  const { claimed } = await plan(events, [slots])
  await sql`update webhook_deliveries set lease_until = now() + interval '1 second' where lease_token is not null`.execute(
    pipeline.db,
  )
  const found = await findLeased(pipeline.db, events, slots.lease_tokens, 30)
  const byEvent = (one: { event_id: string }, other: { event_id: string }) =>
    one.event_id < other.event_id ? -1 : 1
  const withoutTimes = (one: (typeof found)[number]) => ({ ...one, claimed_at: undefined, due_at: undefined })
  expect(found.toSorted(byEvent).map(withoutTimes)).toEqual(claimed.toSorted(byEvent).map(withoutTimes))
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from lease_until - now())::float8 as seconds from webhook_deliveries
    where lease_token = any(${slots.lease_tokens}::uuid[])`.execute(pipeline.db)
  expect(Math.min(...rows.map(({ seconds }) => seconds))).toBeGreaterThan(20)
  expect(await findLeased(pipeline.db, events, [randomUUID()], 30)).toEqual([])
  // Recorded as failed with a retry, so it is no first attempt any more.
  await sql`update webhook_deliveries set attempt = 1 where lease_token = any(${slots.lease_tokens}::uuid[])`.execute(
    pipeline.db,
  )
  expect(await findLeased(pipeline.db, events, slots.lease_tokens, 30)).toEqual([])
})

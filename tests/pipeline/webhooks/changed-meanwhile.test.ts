import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sendingHoursSchema, type SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { giveBackLeases } from '#core/data/webhooks/deliveries/give-back-leases.ts'
import { WEEKDAYS } from '#core/domain/market/local-moment.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { retimeLate } from '#server/webhooks/retime-waiting.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenLease } from '#tests/support/given/attempt-record.ts'
import { countWaiting } from '#tests/support/given/lock-waits.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const RETRY_MINUTES = 5

let pipeline: TestPipeline
let crm: Receiver
let client: string

beforeAll(async () => {
  pipeline = await startPipeline({
    WEBHOOK_RETRY_SCHEDULE: String(RETRY_MINUTES * 60),
    WEBHOOK_RETRY_JITTER: '0',
  })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  crm = await startReceiver()
  client = await givenClient(pipeline.db)
  return () => crm.close()
})

/** Sending hours every day in UTC, between two times relative to now. */
function openBetween(fromMs: number, toMs: number): SendingHours {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16)
  const schedule: unknown = Object.fromEntries(WEEKDAYS.map((day) => [day, [[at(fromMs), at(toMs)]]]))
  return sendingHoursSchema.parse({ timezone: 'UTC', schedule })
}

const listen = async (hours: SendingHours | null) => {
  const fields = { endpoint_url: crm.url, trigger_on_lead_created: true }
  const timed = hours === null ? fields : { ...fields, sending_hours: hours }
  return (await givenConfig(pipeline.context, client, timed)).id
}
async function givenPlanned(): Promise<string> {
  const { db } = pipeline
  const lead = await givenLead(db, client)
  const { rows } = await sql<{ id: string }>`select id from events where lead_id = ${lead}`.execute(db)
  await planDeliveries(
    db,
    rows.map((event) => ({ event_id: event.id, turn: 0 })),
  )
  return lead
}
const somebodyWaits = () =>
  waitUntil(async () => (await countWaiting(pipeline.db)) > 0, { what: 'somebody who waits for a lock' })
const change = (id: string) =>
  sql`update client_webhook_configs set sending_hours = null, updated_at = now() where id = ${id}`.execute(
    pipeline.db,
  )
/** Changes the configuration while a request is at the endpoint; returns the lead. */
async function sendAndChange(id: string, status: number): Promise<string> {
  let changed: Promise<unknown> | undefined
  crm.answerWith((_request, index) => {
    if (index === 0) changed = change(id)
    return { status, delayMs: 500 }
  })
  const lead = await givenLead(pipeline.db, client)
  await publishEventsOfLead(pipeline.context, lead)
  await crm.waitForCount(1)
  await changed
  return lead
}
const deliveryOf = (lead: string) =>
  pipeline.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'state', 'attempt', 'next_attempt_at'])
    .where('lead_id', '=', lead)
    .executeTakeFirst()
const minutesTo = (at: Date | null | undefined) => ((at?.getTime() ?? Number.NaN) - Date.now()) / MINUTE_MS
const isTried = (lead: string) =>
  waitUntil(async () => {
    const delivery = await deliveryOf(lead)
    return delivery?.attempt === 1 ? delivery : undefined
  })

test('a retry does not wait for sending hours that were removed while its attempt was in flight', async () => {
  const id = await listen(openBetween(-HOUR_MS, 3 * MINUTE_MS))
  const { state, next_attempt_at } = await isTried(await sendAndChange(id, 500))
  expect(state).toBe('pending')
  expect(minutesTo(next_attempt_at)).toBeLessThanOrEqual(RETRY_MINUTES)
})

test('a retry waits for the current sending hours', async () => {
  await listen(openBetween(-HOUR_MS, 3 * MINUTE_MS))
  crm.answerWith(500)
  const lead = await givenLead(pipeline.db, client)
  await publishEventsOfLead(pipeline.context, lead)
  expect(minutesTo((await isTried(lead)).next_attempt_at)).toBeGreaterThan(20 * 60)
})

test('a 410 from an endpoint URL that was changed meanwhile is retried, and the webhook stays on', async () => {
  const id = await listen(null)
  const lead = await sendAndChange(id, 410)
  expect(await isTried(lead)).toMatchObject({ state: 'pending' })
  const { error_message } = await pipeline.db
    .selectFrom('webhook_delivery_logs')
    .select('error_message')
    .where('lead_id', '=', lead)
    .executeTakeFirstOrThrow()
  expect(error_message).toBe(
    '410: your endpoint says it is gone. This webhook was changed meanwhile, so it stays switched on.',
  )
  const config = await pipeline.db
    .selectFrom('client_webhook_configs')
    .select(['is_active', 'disabled_reason'])
    .where('id', '=', id)
    .executeTakeFirst()
  expect(config).toEqual({ is_active: true, disabled_reason: null })
  const health = await waitUntil(() =>
    pipeline.db
      .selectFrom('webhook_endpoint_health')
      .select('last_error_message')
      .where('webhook_config_id', '=', id)
      .where('last_error_message', 'is not', null)
      .executeTakeFirst(),
  )
  expect(health.last_error_message).toBe(error_message)
})

test('a lead does not wait for sending hours that were removed while it was planned', async () => {
  const { db } = pipeline
  const id = await listen(openBetween(3 * HOUR_MS, 4 * HOUR_MS))
  const lead = await givenLead(db, client)
  const { id: event } = await db
    .selectFrom('events')
    .select('id')
    .where('lead_id', '=', lead)
    .executeTakeFirstOrThrow()
  // The planning statement has begun and waits for the event.
  const planning = await db.transaction().execute(async (trx) => {
    await sql`select from events where id = ${event} for update`.execute(trx)
    const planned = { done: planDeliveries(db, [{ event_id: event, turn: 0 }]) }
    await somebodyWaits()
    await change(id)
    return planned
  })
  await planning.done
  // Due at once, so it may already be in flight.
  const isDue = async () => {
    const delivery = await deliveryOf(lead)
    return delivery?.state === 'delivered' || minutesTo(delivery?.next_attempt_at) <= 0
  }
  await waitUntil(isDue, { what: 'it being due' })
})

test('a delivery that is given back is not postponed by sending hours that were changed meanwhile', async () => {
  const { db } = pipeline
  const id = await listen(openBetween(3 * HOUR_MS, 4 * HOUR_MS))
  const lead = await givenPlanned()
  const opensAt = (await deliveryOf(lead))?.next_attempt_at ?? new Date(0)
  const { id: delivery = '' } = (await deliveryOf(lead)) ?? {}
  const giveBack = async (token: string, config_version: string) => {
    const until = { opensAt, webhook_config_id: id, config_version }
    return await giveBackLeases(db, [{ delivery_id: delivery, lease_token: token, counts: false, until }], 5)
  }
  // In one transaction, so that no worker claims it in between.
  const { delivery: claimed, token } = await db.transaction().execute(async (trx) => {
    await sql`update webhook_deliveries set next_attempt_at = now() where id = ${delivery}`.execute(trx)
    return await givenLease(trx, delivery)
  })
  await change(id)
  expect(await giveBack(token, claimed.config_version)).toEqual(['free'])
  expect(minutesTo((await deliveryOf(lead))?.next_attempt_at)).toBeLessThanOrEqual(0)
})

test('a delivery that was postponed by old sending hours during the change is planned again', async () => {
  const { db } = pipeline
  const before = openBetween(3 * HOUR_MS, 4 * HOUR_MS)
  const id = await listen(before)
  const lead = await givenPlanned()
  const opensAt = (await deliveryOf(lead))?.next_attempt_at ?? new Date(0)
  await sql`update webhook_deliveries set next_attempt_at = now() + interval '1 hour' where lead_id = ${lead}`.execute(
    db,
  )
  const late = await db.transaction().execute(async (recording) => {
    await sql`select from client_webhook_configs where id = ${id} for key share`.execute(recording)
    await sql`update webhook_deliveries set next_attempt_at = ${opensAt} where lead_id = ${lead}`.execute(
      recording,
    )
    await change(id)
    const looking = { done: retimeLate(db, client, id, before) }
    await somebodyWaits()
    return looking
  })
  expect(await late.done).toMatchObject([{ webhook_config_id: id }])
})

test('after two changes the last sending hours apply, whichever change is checked last', async () => {
  const { db } = pipeline
  const id = await listen(openBetween(3 * HOUR_MS, 4 * HOUR_MS))
  const lead = await givenPlanned()
  const before = await deliveryOf(lead)
  // The previous change removed these, and its check runs only now.
  await retimeLate(db, client, id, openBetween(20 * HOUR_MS, 21 * HOUR_MS))
  expect(await deliveryOf(lead)).toEqual(before)
})

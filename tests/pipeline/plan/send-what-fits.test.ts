import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { conditionsSchema } from '#core/contract/webhooks/conditions.ts'
import { sendingHoursSchema, type SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { readTimeline } from '#core/data/outbox/events.ts'
import { WEEKDAYS } from '#core/domain/market/local-moment.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  drain,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type GivenLead,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
let crm: Receiver
let client: string

beforeAll(async () => {
  pipeline = await startPipeline({ WEBHOOK_RETRY_SCHEDULE: '60,60', WEBHOOK_RETRY_JITTER: '0' })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  crm = await startReceiver()
  client = await givenClient(pipeline.db)
  return () => crm.close()
})

const send = async (fields: GivenLead = {}): Promise<string> => {
  const lead = await givenLead(pipeline.db, client, fields)
  await publishEventsOfLead(pipeline.context, lead)
  await waitUntil(async () => {
    const { rows } = await sql`select from events where lead_id = ${lead} and planned_at is null`.execute(
      pipeline.db,
    )
    return rows.length === 0
  })
  return lead
}
const listen = async (fields: Partial<Parameters<typeof givenConfig>[2]>) =>
  (
    await givenConfig(pipeline.context, client, {
      endpoint_url: crm.url,
      trigger_on_lead_created: true,
      ...fields,
    })
  ).id
const deliveries = () =>
  pipeline.db
    .selectFrom('webhook_deliveries')
    .select(['webhook_config_id', 'state', 'attempt', 'next_attempt_at'])
    .where('client_user_id', '=', client)
    .execute()

/** Sending hours that are closed now and open in a few hours, for an hour each day in UTC. */
function closedNow(): { hours: SendingHours; opens: Date } {
  const opens = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3 * 3_600_000)
  const hour = opens.getUTCHours()
  const [from, to] = [`${pad(hour)}:00`, `${pad(hour)}:30`]
  const schedule = Object.fromEntries(WEEKDAYS.map((day) => [day, [[from, to]]]))
  return { hours: sendingHoursSchema.parse({ timezone: 'UTC', schedule }), opens }
}
const pad = (hour: number): string => String(hour).padStart(2, '0')

test('a lead is sent to the webhooks whose conditions it fits; its timeline says which others skipped it and why', async () => {
  const fitting = conditionsSchema.parse({
    match: 'all',
    rules: [
      { field: 'state', is: ['ca'] },
      { field: 'custom.plan', is: ['Gold'] },
    ],
  })
  const other = conditionsSchema.parse({
    match: 'any',
    rules: [
      { field: 'age', from: 50 },
      { field: 'lead_type', is: ['medicare'] },
    ],
  })
  const everything = await listen({})
  const gold = await listen({ conditions: fitting })
  const old = await listen({ conditions: other })
  const off = await listen({ conditions: other, is_active: false })
  const lead = await send({ custom: '{"plan": "gold"}' })
  await drain(pipeline.context)

  expect((await deliveries()).map((one) => one.webhook_config_id).toSorted()).toEqual(
    [everything, gold].toSorted(),
  )
  expect(crm.requests).toHaveLength(2)
  const told = (await readTimeline(pipeline.db, lead, client)).filter(
    ({ type }) => type === 'delivery.skipped',
  )
  const skipped = (webhook_config_id: string) => ({
    webhook_config_id,
    webhook_name: 'Example CRM',
    event: 'lead.created',
    reason: 'conditions',
    unmet: ['age', 'lead_type'],
  })
  // A webhook that is off also writes that it skipped the lead.
  expect(told.map(({ data }) => data)).toEqual(expect.arrayContaining([old, off].map(skipped)))
  expect(told).toHaveLength(2)
  // A repeated event creates nothing more of either kind.
  const { rows: events } = await sql<{ id: string }>`
    select id from events where lead_id = ${lead} and type = 'lead.created'`.execute(pipeline.db)
  expect(
    await planDeliveries(
      pipeline.db,
      events.map(({ id }) => ({ event_id: id, turn: 0 })),
    ),
  ).toEqual([])
  expect((await readTimeline(pipeline.db, lead, client)).length).toBe(1 + 2 + told.length)
})

test('changed conditions apply from the next lead on, also in a worker that has cached the earlier ones', async () => {
  const fitting = (state: string) =>
    conditionsSchema.parse({ match: 'all', rules: [{ field: 'state', is: [state] }] })
  const id = await listen({ conditions: fitting('TX') })
  const ask = async (conditions: object | null) =>
    await sql`
      update client_webhook_configs set conditions = ${conditions === null ? null : JSON.stringify(conditions)}::jsonb
      where id = ${id}`.execute(pipeline.db)
  const sent: string[] = []
  await send({ state: 'CA' })
  sent.push(await send({ state: 'TX' }))
  await crm.waitForCount(1)
  await ask(fitting('CA'))
  await send({ state: 'TX' })
  sent.push(await send({ state: 'CA' }))
  await crm.waitForCount(2)
  await ask(null)
  sent.push(await send({ state: 'NY' }))
  await crm.waitForCount(3)

  const { rows } = await sql<{ lead_id: string }>`
    select lead_id from webhook_deliveries where webhook_config_id = ${id} order by created_at, id`.execute(
    pipeline.db,
  )
  expect(rows.map(({ lead_id }) => lead_id)).toEqual(sent)
})

test('conditions longer than today’s limit still apply, and conditions that no version can read hold no lead back', async () => {
  const values = Array.from({ length: 100 }, (_value, index) => `${'long'.repeat(45)}${index}`)
  await listen({
    conditions: conditionsSchema.parse({
      match: 'all',
      rules: [{ field: 'source', is: [...values, 'web'].slice(1) }],
    }),
  })
  const unreadable = await listen({})
  await sql`update client_webhook_configs set conditions = '{"match": "none"}' where id = ${unreadable}`.execute(
    pipeline.db,
  )
  await send({ source: values[50] ?? null })
  await send({ source: 'elsewhere' })
  await crm.waitForCount(3)

  const made = await deliveries()
  expect(made.filter((one) => one.webhook_config_id === unreadable)).toHaveLength(2)
  expect(made).toHaveLength(3)
})

test('a lead outside the sending hours waits for their beginning, even if its delivery becomes due earlier', async () => {
  const { hours, opens } = closedNow()
  const id = await listen({ sending_hours: hours })
  await send()
  const [waiting] = await deliveries()
  expect(waiting).toMatchObject({ state: 'pending', attempt: 0, next_attempt_at: opens })

  // A delivery that becomes due in another way (a resend, a closed breaker, an older worker's plan) is still
  // not sent.
  await sql`update webhook_deliveries set next_attempt_at = now() where webhook_config_id = ${id}`.execute(
    pipeline.db,
  )
  await waitUntil(async () => (await deliveries())[0]?.next_attempt_at?.getTime() === opens.getTime())
  expect(crm.requests).toHaveLength(0)
})

test('a retry waits for the sending hours too', async () => {
  crm.answerWith(() => 500)
  // Open for this minute and the next, so that a retry in a minute or two is outside the hours or on the next
  // day.
  const now = new Date()
  const begin = new Date(now.getTime() - 60_000)
  const end = new Date(now.getTime() + 30_000)
  const clock = (at: Date) => at.toISOString().slice(11, 16)
  const schedule = Object.fromEntries(
    WEEKDAYS.map((day) => [day, [[clock(begin), clock(new Date(end.getTime() + 30_000))]]]),
  )
  const hours = sendingHoursSchema.parse({ timezone: 'UTC', schedule })
  await listen({ sending_hours: hours })
  await send()
  await waitUntil(async () => (await deliveries())[0]?.attempt === 1)
  const next = (await deliveries())[0]?.next_attempt_at
  expect((next?.getTime() ?? 0) - now.getTime()).toBeGreaterThan(23 * 3_600_000)
  expect(clock(next ?? now)).toBe(clock(begin))
})

test('a lead waits until it may be called, also if its delivery becomes due earlier; others go out at once', async () => {
  const now = new Date()
  // A zone in which it is about two at night, and one in which it is about noon. Zones of that form count westwards.
  const zoneAt = (hour: number): string => {
    const west = (now.getUTCHours() - hour + 24) % 24
    return west <= 12 ? `Etc/GMT+${west}` : `Etc/GMT-${24 - west}`
  }
  const hours = sendingHoursSchema.parse({
    timezone: 'America/Chicago',
    schedule: null,
    when_callable: true,
  })
  const id = await listen({ sending_hours: hours })
  await send({ timezone: zoneAt(12), state: null })
  await crm.waitForCount(1)
  const lead = await send({ timezone: zoneAt(2), state: null })
  const waiting = async () =>
    await pipeline.db
      .selectFrom('webhook_deliveries')
      .select(['state', 'attempt', 'next_attempt_at'])
      .where('lead_id', '=', lead)
      .executeTakeFirst()
  const opens = new Date(now)
  opens.setUTCHours(now.getUTCHours() + 6, 0, 0, 0)
  expect(await waiting()).toEqual({ state: 'pending', attempt: 0, next_attempt_at: opens })

  await sql`update webhook_deliveries set next_attempt_at = now() where webhook_config_id = ${id} and lead_id = ${lead}`.execute(
    pipeline.db,
  )
  await waitUntil(async () => (await waiting())?.next_attempt_at?.getTime() === opens.getTime())
  expect(crm.requests).toHaveLength(1)
})

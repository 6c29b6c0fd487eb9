import { randomUUID } from 'node:crypto'
import { Queue } from 'bullmq'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { DELIVERIES_QUEUE, DELIVERY_JOB_NAME, LEAD_EVENTS_QUEUE, type WakeUpJob } from '#core/queue/queues.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { attemptRecord, claimAt } from '#tests/support/given/attempt-record.ts'
import {
  assignLead,
  drain,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startWorker as startWorkerProcess } from '#scripts/lab/start-product.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { startPrivateRedis, type PrivateRedis } from '#tests/support/services/redis.ts'

let pipeline: TestPipeline
let crm: Receiver
let client: string
let redis: PrivateRedis

async function begin(overrides: Record<string, string> = {}, worker = true): Promise<void> {
  pipeline = await startPipeline({ REDIS_URL: redis.url, HOUSEKEEPING_PACE: '1', ...overrides }, { worker })
  client = await givenClient(pipeline.db)
}

beforeEach(async () => {
  redis = await startPrivateRedis()
  crm = await startReceiver()
})
afterEach(async () => {
  await pipeline.close()
  await crm.close()
  await redis.close()
})

async function assignedLead(): Promise<string> {
  const lead = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, lead)
  return lead
}

const leadsOf = (receiver: Receiver): string[] =>
  receiver.requests.map((request) => (JSON.parse(request.body) as { lead_id: string }).lead_id)

test('an event that the API never enqueued is relayed', async () => {
  await begin()
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const lead = await assignedLead()

  await crm.waitForCount(1)
  await drain(pipeline.context)
  expect(leadsOf(crm)).toEqual([lead])
})

test('an event that is enqueued twice, with many wake-ups for its delivery, is sent once', async () => {
  await begin({}, false)
  const config = await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const lead = await assignedLead()
  await publishEventsOfLead(pipeline.context, lead)
  const events = await pipeline.db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()
  const once = await planDeliveries(
    pipeline.db,
    events.map(({ id }) => ({ event_id: id, turn: 0 })),
  )
  const again = await planDeliveries(
    pipeline.db,
    events.map(({ id }) => ({ event_id: id, turn: 0 })),
  )
  expect(again).toEqual(once)
  const delivery = once[0]?.delivery_id ?? ''
  const queue = new Queue(DELIVERIES_QUEUE, {
    connection: { url: redis.url },
    prefix: pipeline.context.config.redis.queuePrefix,
  })
  const wakeUp: WakeUpJob = {
    delivery_id: delivery,
    webhook_config_id: config.id,
    client_user_id: client,
    attempt: 1,
    count: 1,
  }
  await queue.addBulk(Array.from({ length: 9 }, () => ({ name: DELIVERY_JOB_NAME, data: wakeUp })))
  await queue.close()
  await pipeline.startWorker()
  await drain(pipeline.context)
  await waitForEmptyQueues()

  expect(crm.requests).toHaveLength(1)
})

test('a poisoned job is dropped, and delays no other job', async () => {
  await begin({}, false)
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  for (const name of [LEAD_EVENTS_QUEUE, DELIVERIES_QUEUE]) {
    const queue = new Queue(name, {
      connection: { url: redis.url },
      prefix: pipeline.context.config.redis.queuePrefix,
    })
    await queue.add('lead-assigned', { event_id: '__proto__', delivery_id: 7 })
    await queue.add('lead-assigned', {
      event_id: randomUUID(),
      delivery_id: randomUUID(),
      webhook_config_id: randomUUID(),
      attempt: 1,
    })
    await queue.close()
  }
  const lead = await assignedLead()
  await publishEventsOfLead(pipeline.context, lead)
  await pipeline.startWorker()
  await drain(pipeline.context)
  await waitForEmptyQueues()

  expect(leadsOf(crm)).toEqual([lead])
})

test('FLUSHALL between plan and send loses nothing', async () => {
  await begin({}, false)
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const leads: string[] = []
  for (let index = 0; index < 20; index += 1) {
    const lead = await assignedLead()
    leads.push(lead)
    await publishEventsOfLead(pipeline.context, lead)
  }
  // A mark that came after the change below would make its event young again.
  const unmarked = sql`select from events where enqueued_at is null`
  await waitUntil(async () => (await unmarked.execute(pipeline.db)).rows.length === 0, { what: 'Every mark' })
  const { rows: events } = await sql<{ id: string }>`select id from events limit 15`.execute(pipeline.db)
  await pipeline.context.deliveries.publish(
    await planDeliveries(
      pipeline.db,
      events.map(({ id }) => ({ event_id: id, turn: 0 })),
    ),
  )
  await pipeline.context.redis.flushall()
  await sql`update events set enqueued_at = now() - interval '1 minute'`.execute(pipeline.db)
  await sql`update webhook_deliveries set next_attempt_at = now() - interval '1 minute'`.execute(pipeline.db)
  await pipeline.startWorker()
  await drain(pipeline.context)

  expect(leadsOf(crm).toSorted()).toEqual(leads.toSorted())
})

test('leads that arrive while Redis is away are delivered when it is back', async () => {
  await begin()
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  await redis.stop()
  const leads = [await assignedLead(), await assignedLead()]
  const before = performance.now()
  for (const lead of leads) await publishEventsOfLead(pipeline.context, lead)
  expect(performance.now() - before).toBeLessThan(10_000)
  await redis.start()
  await crm.waitForCount(2, { timeoutMs: 30_000 })
  await drain(pipeline.context)

  expect(leadsOf(crm).toSorted()).toEqual(leads.toSorted())
})

test('a worker that gets SIGTERM finishes the deliveries in flight', async () => {
  await begin({}, false)
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  crm.answerWith({ status: 200, delayMs: 1500 })
  const worker = await startWorkerProcess(pipeline.environment.env)
  const lead = await assignedLead()
  await publishEventsOfLead(pipeline.context, lead)
  await crm.waitForCount(1)

  expect(await worker.stop()).toBe(0)
  const states = await pipeline.db.selectFrom('webhook_deliveries').select('state').execute()
  expect(states).toEqual([{ state: 'delivered' }])
  expect(await pipeline.db.selectFrom('webhook_delivery_logs').select('id').execute()).toHaveLength(1)
})

test('deliveries that a claim holds just after their webhook was switched on are sent anyway', async () => {
  await begin({}, false)
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const lead = await assignedLead()
  const events = await pipeline.db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()
  await planDeliveries(
    pipeline.db,
    events.map(({ id }) => ({ event_id: id, turn: 0 })),
  )
  // The claim had read the configuration before, so its hold commits after the release.
  await pipeline.db.updateTable('webhook_deliveries').set({ state: 'held' }).execute()
  await pipeline.startWorker()

  await crm.waitForCount(1)
  await drain(pipeline.context)
  expect(leadsOf(crm)).toEqual([lead])
})

test('a delivery has one lease at a time; a late writer cannot change its status, alone or in one batch with the new one', async () => {
  await begin({}, false)
  const { id: endpoint } = await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const lead = await assignedLead()
  const events = await pipeline.db.selectFrom('events').select('id').where('lead_id', '=', lead).execute()
  await planDeliveries(
    pipeline.db,
    events.map(({ id }) => ({ event_id: id, turn: 0 })),
  )
  const [first] = await claimAt(pipeline.db, endpoint)
  expect(await claimAt(pipeline.db, endpoint)).toEqual([])
  if (first === undefined) throw new Error('the first claim failed')
  const late = first.lease_token

  await sql`update webhook_deliveries set lease_until = now() - interval '1 second'`.execute(pipeline.db)
  const [third] = await claimAt(pipeline.db, endpoint)
  const current = third?.lease_token ?? ''
  expect(third).toMatchObject({ delivery_id: first.delivery_id, attempt: 1 })
  expect(current).not.toBe(late)
  const attempt = (token: string, state: 'delivered' | 'failed') =>
    attemptRecord(first, token, { state, response_status: state === 'delivered' ? 200 : 500 })
  const read = () =>
    pipeline.db.selectFrom('webhook_deliveries').select(['state', 'attempt']).executeTakeFirstOrThrow()
  const overtaken = { lost: 'to_another_sender', next_attempt_at: null }

  expect(await recordAttempts(pipeline.db, [attempt(late, 'failed')])).toMatchObject([overtaken])
  expect(await read()).toEqual({ state: 'pending', attempt: 0 })

  const together = [attempt(late, 'failed'), attempt(current, 'delivered')]
  expect(await recordAttempts(pipeline.db, together)).toMatchObject([
    overtaken,
    { lost: null, next_attempt_at: null },
  ])
  expect(await read()).toEqual({ state: 'delivered', attempt: 1 })
})

test('a lead that twenty callers assign at once is assigned once', async () => {
  await begin({}, false)
  const lead = await givenLead(pipeline.db, client)
  const results = await Promise.all(Array.from({ length: 20 }, () => assignLead(pipeline.db, lead)))

  expect(results.filter((result) => result['outcome'] === 'assigned')).toHaveLength(1)
  expect(results.filter((result) => result['outcome'] === 'already_assigned')).toHaveLength(19)
  expect(new Set(results.map((result) => result['assignment_id'])).size).toBe(1)
  const events = await pipeline.db
    .selectFrom('events')
    .select('type')
    .where('type', '=', 'lead.assigned')
    .execute()
  expect(events).toHaveLength(1)
})

async function waitForEmptyQueues(): Promise<void> {
  const queues = [LEAD_EVENTS_QUEUE, DELIVERIES_QUEUE].map(
    (name) =>
      new Queue(name, { connection: { url: redis.url }, prefix: pipeline.context.config.redis.queuePrefix }),
  )
  await waitUntil(async () => {
    const counts = await Promise.all(
      queues.map((queue) => queue.getJobCounts('wait', 'active', 'delayed', 'failed')),
    )
    return counts.every((count) => Object.values(count).every((jobs) => jobs === 0))
  })
  await Promise.all(queues.map((queue) => queue.close()))
}

import type { Queue } from 'bullmq'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findEventsToEnqueueOfLeads, type EventToEnqueue } from '#core/data/outbox/events.ts'
import { EVENTS_PER_JOB, LEAD_EVENTS_QUEUE, eventJobId, eventJobSchema } from '#core/queue/queues.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { createRelayEvents } from '#worker/housekeeping/repair/relay-events.ts'
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

let pipeline: TestPipeline
let crm: Receiver
let queue: Queue
let client: string

beforeEach(async () => {
  crm = await startReceiver()
  pipeline = await startPipeline({}, { worker: false })
  const queues = await pipeline.context.watchedQueues.get()
  queue = queues.find(({ name }) => name === LEAD_EVENTS_QUEUE) as Queue
  client = await givenClient(pipeline.db)
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url, trigger_on_lead_created: true })
})
afterEach(async () => {
  await pipeline.close()
  await crm.close()
})

async function givenEvents(count: number): Promise<EventToEnqueue[]> {
  const leads: string[] = []
  for (let made = 0; made < count; made += 1) leads.push(await givenLead(pipeline.db, client))
  return await findEventsToEnqueueOfLeads(pipeline.db, leads)
}

async function readJobs(): Promise<string[][]> {
  const jobs = await queue.getJobs(['waiting', 'prioritized'], 0, -1, true)
  return jobs.map(({ data }) => {
    const { event_id: first, further_event_ids: further = [] } = eventJobSchema.parse(data)
    return [first, ...further]
  })
}

test('events of one job are planned whatever the job says about their client and type', async () => {
  const events = await givenEvents(3)
  const [first, second, third] = events.map(({ id }) => id)
  const trace = { removeOnComplete: true }
  await queue.add('lead-created', { event_id: first, heard: [{ client: 'nobody', type: 7 }] }, trace)
  await queue.add('lead-created', { event_id: second, heard: 'nothing' }, trace)
  // An account's id may be any uuid, also of an unknown version.
  const client = '11111111-1111-1111-1111-111111111111'
  await queue.add('lead-created', { event_id: third, heard: [{ client, type: 'lead.created' }] }, trace)
  await pipeline.startWorker()
  await crm.waitForCount(3)
  expect(await readUnplanned()).toEqual([])
})

async function readUnplanned(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from events where planned_at is null`.execute(
    pipeline.db,
  )
  return rows.map(({ id }) => id)
}

test('events that are published together share a job up to a limit, and all of them are planned', async () => {
  const { context, db } = pipeline
  const events = await givenEvents(2 * EVENTS_PER_JOB + 1)
  const ids = events.map(({ id }) => id)

  await context.events.publish(events)
  const jobs = await readJobs()
  expect(jobs.map((job) => job.length)).toEqual([EVENTS_PER_JOB, EVENTS_PER_JOB, 1])
  expect(jobs.flat()).toEqual(ids)
  expect(await queue.getJobState(eventJobId(ids.at(-1) ?? ''))).toBe('waiting')

  await pipeline.startWorker()
  await drain(context)
  const sent = crm.requests.map(({ headers }) => String(headers['webhook-id']))
  expect(sent.toSorted()).toEqual(ids.toSorted())
  const { rows } = await sql<{ unmarked: number }>`
    select count(*)::int as unmarked from events where enqueued_at is null`.execute(db)
  expect(rows).toEqual([{ unmarked: 0 }])
})

test('all events of a lead at its publication share one job', async () => {
  const lead = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, lead)
  await publishEventsOfLead(pipeline.context, lead)

  expect((await readJobs()).map((job) => job.length)).toEqual([2])
})

test('a late backlog in shared jobs is enqueued once more, one job for each event, and not again at each run of the relay', async () => {
  const { context, db } = pipeline
  const events = await givenEvents(60)
  await context.events.publish(events, { mark: 'now' })
  const beLate = () => sql`update events set enqueued_at = now() - interval '1 minute'`.execute(db)
  const relay = createRelayEvents(context)
  for (let looks = 0; looks < 4; looks += 1) {
    await beLate()
    await relay()
  }

  const sizes = (await readJobs()).map((job) => job.length)
  expect(sizes).toEqual([25, 25, 10, ...events.map(() => 1)])
})

test('an event that PostgreSQL refuses fails in a job of its own; the other events of its job are planned', async () => {
  const { context, db } = pipeline
  const events = await givenEvents(5)
  const poisoned = events[2]?.id ?? ''
  await sql`
    create function refuse_poison() returns trigger language plpgsql as $$
    begin raise exception 'poison'; end $$`.execute(db)
  await sql`
    create trigger refuse_poison before insert on webhook_deliveries for each row
    when (new.event_id = ${sql.lit(poisoned)}::uuid) execute function refuse_poison()`.execute(db)
  await sql`update events set failures = 4 where id = ${poisoned}`.execute(db)
  await context.events.publish(events)
  await pipeline.startWorker()

  await crm.waitForCount(4)
  await expect.poll(() => queue.getJobState(eventJobId(poisoned)), { timeout: 20_000 }).toBe('failed')
  expect(await readUnplanned()).toEqual([poisoned])
  const { rows } = await sql<{
    failures: number
  }>`select failures from events where id = ${poisoned}`.execute(db)
  expect(rows).toEqual([{ failures: 5 }])
})

import { Job } from 'bullmq'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '#core/data/database.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { EVENT_BURSTS_QUEUE, LEAD_EVENTS_QUEUE } from '#core/queue/queues.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  givenLeadsOf,
  publishEventsOfLead,
  startPipeline,
  type GivenConfig,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { planningParts } from '#tests/support/given/planning-parts.ts'
import { createPlanning } from '#worker/pipeline/1-plan-deliveries.ts'
import { readSample } from '#tests/support/read-sample.ts'

const COUNT = 10
/** More events than are planned at once, so that their jobs take turns with others. */
const MANY = 600

let pipeline: TestPipeline
let receiver: Receiver
let held: string
let other: string
let configurationOfHeld: GivenConfig
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  receiver = await startReceiver()
  const { context, db } = pipeline
  held = await givenClient(db)
  other = await givenClient(db)
  configurationOfHeld = await givenConfig(context, held, {
    endpoint_url: `${receiver.url}/held`,
    trigger_on_lead_created: true,
  })
  await givenConfig(context, other, { endpoint_url: `${receiver.url}/other`, trigger_on_lead_created: true })
})
afterAll(async () => {
  await receiver.close()
  await pipeline.close()
})

/** Locks the configuration, as a deletion of the account or a frozen server does. */
async function lockConfiguration(db: Db): Promise<() => Promise<void>> {
  const isLocked = Promise.withResolvers<undefined>()
  const mayEnd = Promise.withResolvers<undefined>()
  const done = db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('client_webhook_configs')
      .select('id')
      .where('id', '=', configurationOfHeld.id)
      .forUpdate()
      .execute()
    isLocked.resolve(undefined)
    await mayEnd.promise
  })
  await Promise.race([isLocked.promise, done])
  return async () => {
    mayEnd.resolve(undefined)
    await done
  }
}

/**
 * Counts the planning statements so far. Each waits only briefly for a lock (PLANS.patienceMs), so their
 * number tells how long a lead waits. A busy machine makes each statement slower, and hardly changes the number.
 */
async function countStatements(): Promise<number> {
  const text = await pipeline.context.metrics.registry.metrics()
  return readSample(text, 'leadwire_batch_size_count{batcher="plan"}') ?? 0
}

/** Waits until these leads are planned. @returns the number of planning statements since `before` */
async function countUntilPlanned(leads: readonly string[], before: number): Promise<number> {
  const { db } = pipeline
  const findOpen = db
    .selectFrom('events')
    .select('id')
    .where('lead_id', 'in', leads)
    .where('planned_at', 'is', null)
  await waitUntil(async () => (await findOpen.execute()).length === 0, {
    what: 'Planning what nobody has locked',
  })
  return (await countStatements()) - before
}

const idsAt = (path: string): Set<unknown> =>
  new Set(
    receiver.requests.filter((request) => request.path === path).map(({ headers }) => headers['webhook-id']),
  )

test('a locked configuration delays no other client’s leads and loses none of its own', async () => {
  const { context, db } = pipeline
  const unlock = await lockConfiguration(db)
  try {
    const clients = [held, other].flatMap((client) => Array<string>(COUNT).fill(client))
    const leads = await givenLeadsOf(db, clients)
    // Published together, so that one statement plans them.
    await context.events.publish(await findEventsToEnqueueOfLeads(db, leads), { mark: 'now' })
    await pipeline.startWorker()
    // A few statements for each client, not one for each lead.
    expect(await countUntilPlanned(leads.slice(COUNT), 0)).toBeLessThan(leads.length)
    await waitUntil(() => idsAt('/other').size === COUNT, { what: 'What came in one pile with it' })

    for (let index = 1; index <= COUNT; index += 1) {
      await publishEventsOfLead(context, await givenLead(db, held))
      await publishEventsOfLead(context, await givenLead(db, other))
      await waitUntil(() => idsAt('/other').size === COUNT + index, { what: 'What came later' })
    }
    expect(idsAt('/held').size).toBe(0)
  } finally {
    await unlock()
  }

  await waitUntil(() => idsAt('/held').size === 2 * COUNT, { what: 'Its own', timeoutMs: 20_000 })
  expect(receiver.requests).toHaveLength(4 * COUNT)
})

test('however many leads wait for a locked configuration, other clients’ leads are sent promptly, and the waiting ones later', async () => {
  const { context, db } = pipeline
  const [heldBefore, otherBefore] = [idsAt('/held').size, idsAt('/other').size]
  const unlock = await lockConfiguration(db)
  try {
    const leads = await givenLeadsOf(db, Array<string>(MANY).fill(held))
    await context.events.publish(await findEventsToEnqueueOfLeads(db, leads), { mark: 'now' })
    for (let index = 1; index <= COUNT; index += 1) {
      const before = await countStatements()
      const lead = await givenLead(db, other)
      await publishEventsOfLead(context, lead)
      expect(await countUntilPlanned([lead], before)).toBeLessThan(MANY / 4)
      await waitUntil(() => idsAt('/other').size === otherBefore + index, { what: 'What came beside many' })
    }
    expect(idsAt('/held').size).toBe(heldBefore)
  } finally {
    await unlock()
  }

  await waitUntil(() => idsAt('/held').size === heldBefore + MANY, { what: 'Its own', timeoutMs: 60_000 })
}, 150_000)

test('a burst that waits for a locked configuration still has low priority when it is free', async () => {
  await pipeline.stopWorker()
  const { context, db } = pipeline
  const queues = await context.watchedQueues.get()
  const waiting = async (name: string) =>
    (await queues.find((queue) => queue.name === name)?.getJobs(['waiting', 'prioritized'], 0, -1, true)) ??
    []
  const [bursts] = queues.filter(({ name }) => name === EVENT_BURSTS_QUEUE)
  if (bursts === undefined) throw new Error('there is no queue of bursts')
  const leads = await givenLeadsOf(db, Array<string>(3).fill(held))
  const ids = (await findEventsToEnqueueOfLeads(db, leads)).map(({ id }) => id)
  const [first, ...further] = ids
  const { planDeliveries } = createPlanning(context, planningParts())

  const unlock = await lockConfiguration(db)
  try {
    await planDeliveries(
      new Job(bursts, 'lead-created', { event_id: first, further_event_ids: further }, { priority: 7 }),
    )
  } finally {
    await unlock()
  }

  const jobs = ids.map((id) => `evt-${id}`)
  expect((await waiting(EVENT_BURSTS_QUEUE)).map(({ id, priority }) => ({ id, priority }))).toEqual(
    expect.arrayContaining(jobs.map((id) => ({ id, priority: 7 }))),
  )
  const elsewhere = (await waiting(LEAD_EVENTS_QUEUE)).map(({ id }) => id)
  expect(elsewhere.filter((id) => jobs.includes(id ?? ''))).toEqual([])
})

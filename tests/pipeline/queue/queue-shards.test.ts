import { createKeyring } from '#core/secrets/keyring.ts'
import { randomUUID } from 'node:crypto'
import type { Queue } from 'bullmq'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig, type Config } from '#core/config/config.ts'
import { findEventsToEnqueueOfLeads, type EventToEnqueue } from '#core/data/outbox/events.ts'
import { openWatchedQueues, type WatchedQueues } from '#core/queue/open-watched-queues.ts'
import { openEventPublisher } from '#core/queue/publish-events.ts'
import { LEAD_EVENTS_QUEUE, eventJobId, eventJobSchema } from '#core/queue/queues.ts'
import { chooseShard, shardOfQueue } from '#core/queue/shards.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { createContext, type WorkerContext } from '#worker/context.ts'
import { createHearLeftShards } from '#worker/housekeeping/repair/hear-left-shards.ts'
import { createRelayEvents } from '#worker/housekeeping/repair/relay-events.ts'
import { startWorker } from '#worker/start-worker.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenClientsIn } from '#tests/support/given/clients-in-shards.ts'
import {
  drain,
  givenConfig,
  givenLeadsOf,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

const logger = createLogger('test', 'silent')
let pipeline: TestPipeline
let crm: Receiver
let clients: string[]
const ends: Array<() => Promise<void>> = []

beforeEach(async () => {
  crm = await startReceiver()
  pipeline = await startPipeline({}, { worker: false })
  clients = []
  for (const shard of [0, 1, 2]) {
    const inShard = await givenClientsIn(pipeline.db, shard, { shards: 3, count: 4 })
    clients.push(...inShard)
  }
  for (const client of clients)
    await givenConfig(pipeline.context, client, { endpoint_url: crm.url, trigger_on_lead_created: true })
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
  await pipeline.close()
  await crm.close()
})

const configOf = (shards: number): Config =>
  loadConfig({ ...pipeline.environment.env, QUEUE_SHARDS: String(shards) })

/** Creates a lead of each client and publishes them from a process with this many shards. */
async function publishLeads(shards: number): Promise<EventToEnqueue[]> {
  const leads = await givenLeadsOf(pipeline.db, clients)
  const events = await findEventsToEnqueueOfLeads(pipeline.db, leads)
  const publisher = openEventPublisher({ config: configOf(shards), db: pipeline.db, logger })
  await waitUntil(() => publisher.isReady(), { what: 'Redis' })
  expect(await publisher.publish(events, { mark: 'now' })).toBe(true)
  await publisher.close()
  return events
}

/** Opens the context of a worker with this many shards that does not run. */
async function openContext(shards: number): Promise<WorkerContext> {
  const config = configOf(shards)
  const { context, close } = createContext(config, createKeyring(config.secretsKey ?? ''), logger)
  ends.push(() => close())
  await waitUntil(() => context.events.isReady() && context.redis.status === 'ready', { what: 'Redis' })
  return context
}

async function runWorker(shards: number): Promise<void> {
  const context = await openContext(shards)
  const { stop } = await startWorker(context, () => {
    throw new Error('The worker gave itself up')
  })
  ends.push(() => stop())
}

/** Opens the queues of this many shards, as a process that only watches sees them. */
async function watch(shards: number): Promise<{ watched: WatchedQueues; queues: Queue[] }> {
  const watched = openWatchedQueues({
    config: configOf(shards),
    connection: pipeline.context.redis,
    onError: () => undefined,
  })
  ends.push(() => watched.close())
  return { watched, queues: await watched.get() }
}

async function countOpenJobs({ watched }: { watched: WatchedQueues }): Promise<number> {
  const counted = await watched.count()
  return counted
    .flatMap(({ counts: { failed: _failed, ...open } }) => Object.values(open))
    .reduce((a, b) => a + b)
}

async function expectEachSentOnce(events: readonly EventToEnqueue[]): Promise<void> {
  await crm.waitForCount(events.length)
  await drain(pipeline.context)
  const sent = crm.requests.map(({ headers }) => String(headers['webhook-id']))
  expect(sent.toSorted()).toEqual(events.map(({ id }) => id).toSorted())
}

const keysOfShard = (shard: number): Promise<string[]> => {
  const { redis } = pipeline.context
  if (!('keys' in redis)) throw new Error('This test needs a single Redis')
  return redis.keys(`${pipeline.environment.env['QUEUE_PREFIX']}.${shard}:*`)
}

test('an event waits in the shard of its client, and a worker of all shards sends each event once', async () => {
  const events = await publishLeads(3)
  const { queues } = await watch(3)
  const clientOf = new Map(events.map((event) => [event.id, event.client_user_id ?? '']))
  let found = 0
  for (const queue of queues) {
    for (const { data } of await queue.getJobs(['waiting', 'prioritized'])) {
      const { event_id: first, further_event_ids: further = [] } = eventJobSchema.parse(data)
      for (const id of [first, ...further]) {
        expect(shardOfQueue(queue.name)).toBe(chooseShard(clientOf.get(id) ?? '', 3))
        found += 1
      }
    }
  }
  expect(found).toBe(events.length)

  await runWorker(3)
  await expectEachSentOnce(events)
})

test('jobs that wait while QUEUE_SHARDS goes from 1 to 3 to 2 run once, and none is left', async () => {
  const events: EventToEnqueue[] = []
  for (const shards of [1, 3, 2]) events.push(...(await publishLeads(shards)))
  expect(await keysOfShard(2)).not.toEqual([])

  await runWorker(2)
  await expectEachSentOnce(events)
  const all = await watch(3)
  await waitUntil(async () => (await countOpenJobs(all)) === 0, { what: 'No job being left' })

  // Simulates ten minutes later.
  const context = await openContext(2)
  const { hearLeftShards, stop } = createHearLeftShards(context, () => [], 0)
  ends.push(stop)
  await waitUntil(
    async () => {
      await hearLeftShards()
      return (await keysOfShard(2)).length === 0
    },
    { what: 'The third shard being empty' },
  )
  expect(await keysOfShard(1)).not.toEqual([])
})

test('a worker with one shard runs the jobs of a process with three shards without moving them', async () => {
  await runWorker(1)
  const { queues } = await watch(3)
  const events = await publishLeads(3)
  await expectEachSentOnce(events)

  // Their jobs have run in their own queues, long before the relay would have enqueued them again.
  const left = queues.filter(({ name }) => shardOfQueue(name) > 0)
  await waitUntil(
    async () => {
      const counts = await Promise.all(left.map((queue) => queue.getJobCountByTypes('completed')))
      return counts.filter((count) => count > 0).length === 2
    },
    { what: 'The jobs having run' },
  )
})

test('workers with one and with three shards side by side send each lead once, whichever process published it', async () => {
  await runWorker(1)
  await runWorker(3)
  const events = [...(await publishLeads(1)), ...(await publishLeads(3)), ...(await publishLeads(2))]

  await expectEachSentOnce(events)
})

test('an event that waits in a shard without a worker is relayed once to its shard under the present QUEUE_SHARDS', async () => {
  const events = await publishLeads(3)
  const { queues } = await watch(1)
  const beLate = () =>
    sql`update events set enqueued_at = now() - interval '1 minute' where planned_at is null`.execute(
      pipeline.db,
    )
  const relay = createRelayEvents(pipeline.context)
  for (let looks = 0; looks < 3; looks += 1) {
    await beLate()
    await relay()
  }

  const first = queues.find(({ name }) => name === LEAD_EVENTS_QUEUE)
  const ids = (await first?.getJobs(['waiting']))?.map(({ id }) => id) ?? []
  const elsewhere = events.filter(({ client_user_id: client }) => chooseShard(client ?? '', 3) > 0)
  expect(ids.filter((id) => elsewhere.some((event) => eventJobId(event.id) === id)).length).toBe(
    elsewhere.length,
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('a client’s wake-ups arrive in the queue of its shard', async () => {
  const context = await openContext(3)
  const due = clients.map((client) => ({
    delivery_id: randomUUID(),
    webhook_config_id: randomUUID(),
    client_user_id: client,
    attempt: 1,
    turn: 0,
  }))
  await context.deliveries.publish(due)

  const { queues } = await watch(3)
  const rung = new Map<string, number>()
  for (const queue of queues) {
    for (const { data } of await queue.getJobs(['waiting'])) {
      const { client_user_id: client, more = [] } = data as { client_user_id: string; more?: string[][] }
      for (const whose of [client, ...more.map(([one]) => one ?? '')])
        rung.set(whose, shardOfQueue(queue.name))
    }
  }
  expect(rung).toEqual(new Map(clients.map((client) => [client, chooseShard(client, 3)])))
})

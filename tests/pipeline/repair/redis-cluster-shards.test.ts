import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Cluster, Redis } from 'ioredis'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findEventsToEnqueueOfLeads, type EventToEnqueue } from '#core/data/outbox/events.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { listShards, slotOf, tagOfShard } from '#core/queue/shards.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { startRedisCluster, type RedisCluster } from '#scripts/services/redis-cluster.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenClientsIn } from '#tests/support/given/clients-in-shards.ts'
import {
  drain,
  givenConfig,
  givenLeadsOf,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

const SHARDS = listShards(3)
let folder: string
let cluster: RedisCluster
let pipeline: TestPipeline
let crm: Receiver
/** the clients of each shard */
let clients: string[][]

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-shards-'))
  cluster = await startRedisCluster(folder)
  return async () => {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
beforeEach(async () => {
  crm = await startReceiver()
})
afterEach(async () => {
  await pipeline.close()
  await crm.close()
})

async function start(shards: number): Promise<void> {
  pipeline = await startPipeline({
    LOG_LEVEL: 'silent',
    REDIS_URL: cluster.url,
    REDIS_CLUSTER_NODES: cluster.nodes.join(','),
    QUEUE_SHARDS: String(shards),
  })
  clients = []
  for (const shard of SHARDS) {
    const ours = await givenClientsIn(pipeline.db, shard, { shards: SHARDS.length, count: 4 })
    for (const client of ours)
      await givenConfig(pipeline.context, client, { endpoint_url: crm.url, trigger_on_lead_created: true })
    clients.push(ours)
  }
}

async function givenEventsOf(owners: readonly string[], leadsOfEach = 1): Promise<EventToEnqueue[]> {
  const each = Array.from({ length: leadsOfEach }, () => owners)
  const leads = await givenLeadsOf(pipeline.db, each.flat())
  return await findEventsToEnqueueOfLeads(pipeline.db, leads)
}

const sentIds = (): string[] => crm.requests.map(({ headers }) => String(headers['webhook-id']))
const idsOf = (events: readonly EventToEnqueue[]): string[] => events.map(({ id }) => id)

function nodesOf(role: 'master' | 'all'): Redis[] {
  return (pipeline.context.redis as Cluster).nodes(role)
}

/** Counts the BullMQ script calls that each master has run. */
async function countScripts(): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const node of nodesOf('master')) {
    const calls = /cmdstat_evalsha:calls=(\d+)/.exec(await node.info('commandstats'))?.[1]
    counts.set(String(node.options.port), Number(calls ?? 0))
  }
  return counts
}

/** Returns each master's share of the scripts for 120 leads, largest first. */
async function shareScripts(): Promise<number[]> {
  const before = await countScripts()
  const events = await givenEventsOf(clients.flat(), 10)
  for (const event of events) await pipeline.context.events.publish([event])
  await drain(pipeline.context)
  expect(sentIds().toSorted()).toEqual(idsOf(events).toSorted())
  const run = [...(await countScripts())].map(([port, calls]) => calls - (before.get(port) ?? 0))
  const all = run.reduce((sum, calls) => sum + calls)
  return run.map((calls) => calls / all).toSorted((a, b) => b - a)
}

test('one shard uses one master', async () => {
  await start(1)
  const [first = 0] = await shareScripts()

  expect(first).toBeGreaterThan(0.95)
})

test('three shards use three masters, which share keys and commands', async () => {
  await start(3)
  const shares = await shareScripts()

  expect(shares).toHaveLength(3)
  expect(shares.at(-1)).toBeGreaterThan(0.2)
  const { redis } = pipeline.context.config
  const keys = await Promise.all(
    nodesOf('master').map((node) => node.keys(`{${redis.queuePrefix}*}:lead-events*:meta`)),
  )
  expect(keys.map((ofMaster) => ofMaster.some((key) => !key.includes('burst')))).toEqual([true, true, true])
})

test('Redis gives each shard the expected slot', async () => {
  await start(1)
  const { redis, config } = pipeline.context
  const { queuePrefix: first } = config.redis
  for (const shard of listShards(12)) {
    const key = `${queuePrefix(config.redis, shard)}:any`
    expect(await (redis as Cluster).cluster('KEYSLOT', key)).toBe(slotOf(tagOfShard(first, shard)))
  }
})

test('while one master is away, the clients of the others are served, and no lead is lost', async () => {
  await start(3)
  for (const node of nodesOf('all')) await node.config('SET', 'cluster-require-full-coverage', 'no')
  const { context } = pipeline
  const warm = await givenEventsOf(clients.flat())
  await context.events.publish(warm)
  await drain(context)

  // Stopped with its replica, so that nothing takes its place.
  const gone = await cluster.nodesOf(`${queuePrefix(context.config.redis, 1)}:any`)
  for (const node of gone) await node.crash()
  const [first = [], second = [], third = []] = clients
  const silenced = await givenEventsOf(second)
  const served = await givenEventsOf([...first, ...third])
  expect(await context.events.publish([...silenced, ...served])).toBe(false)
  await waitUntil(() => idsOf(served).every((id) => sentIds().includes(id)), {
    timeoutMs: 30_000,
    what: 'The leads of the others',
  })
  // Published again at once, while the failed shard is avoided.
  const more = await givenEventsOf([...first, ...third])
  expect(await context.events.publish(more)).toBe(true)

  const counted = (await context.watchedQueues.count()).map(({ queue }) => queue)
  expect(counted).toEqual(expect.arrayContaining(['lead-events', 'lead-events.2']))
  expect(counted).not.toContain('lead-events.1')
  // The webhooks must be older than the events below, which are a minute old.
  await sql`update client_webhook_configs set choice_since = '-infinity'`.execute(context.db)
  // Redis does not know this event, and more events precede it in the outbox than the relay takes at once.
  await sql`
    insert into events (type, lead_id, client_user_id, created_at)
    select type, lead_id, client_user_id, created_at - interval '1 minute' from events, generate_series(1, 600)
    where id = ${silenced[0]?.id}`.execute(context.db)
  const behind = await givenEventsOf(first)
  await waitUntil(() => idsOf(behind).every((id) => sentIds().includes(id)), {
    timeoutMs: 30_000,
    what: 'The leads behind those of the shard that is gone',
  })

  for (const node of gone.toReversed()) await node.start()
  await drain(context, 60_000)
  const { rows } = await sql<{ id: string }>`select id from events where type = 'lead.created'`.execute(
    context.db,
  )
  expect(rows.length).toBe(600 + warm.length + silenced.length + served.length + more.length + behind.length)
  expect(sentIds().toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
}, 120_000)

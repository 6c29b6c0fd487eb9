import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { runScenario } from '#scripts/chaos/run-scenario.ts'
import { SCENARIOS } from '#scripts/chaos/scenarios.ts'
import { startRedisCluster, type RedisCluster } from '#scripts/services/redis-cluster.ts'
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
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'

let folder: string
let cluster: RedisCluster
let pipeline: TestPipeline
let crm: Receiver
let client: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-cluster-'))
  cluster = await startRedisCluster(folder)
  pipeline = await startPipeline({
    REDIS_URL: cluster.url,
    REDIS_CLUSTER_NODES: cluster.nodes.join(','),
    WEBHOOK_RETRY_SCHEDULE: '1,1',
  })
  return async () => {
    await pipeline.close()
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
beforeEach(async () => {
  crm = await startReceiver()
  client = await givenClient(pipeline.db)
  return () => crm.close()
})

async function assignedLead(): Promise<string> {
  const lead = await givenLead(pipeline.db, client)
  await assignLead(pipeline.db, lead)
  return lead
}

const leadsOf = (receiver: Receiver): string[] =>
  receiver.requests.map((request) => (JSON.parse(request.body) as { lead_id: string }).lead_id)

test('a lead is delivered through a cluster, after a retry', async () => {
  crm.answerWith((_request, index) => (index === 0 ? 503 : 200))
  const config = await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const lead = await assignedLead()
  await publishEventsOfLead(pipeline.context, lead)
  const [, second] = await crm.waitForCount(2)
  await drain(pipeline.context)

  expect(leadsOf(crm)).toEqual([lead, lead])
  const headers = second?.headers as Record<string, string>
  expect(new Webhook(config.secret).verify(second?.rawBody ?? '', headers)).toMatchObject({ lead_id: lead })
  expect(headers['leadwire-attempt']).toBe('2')
})

test('the jobs of many events in one bulk stay in one slot', async () => {
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  const leads = await Promise.all(Array.from({ length: 50 }, assignedLead))
  const events = await pipeline.db
    .selectFrom('events')
    .select(['id', 'type', 'client_user_id'])
    .where('lead_id', 'in', leads)
    .execute()

  expect(await pipeline.context.events.publish(events, { mark: 'now' })).toBe(true)
  await crm.waitForCount(50)
  await drain(pipeline.context)
  expect(leadsOf(crm).toSorted()).toEqual(leads.toSorted())
})

test('jobs that a cluster loses are rebuilt from PostgreSQL', async () => {
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  crm.answerWith((_request, index) => (index < 10 ? 503 : 200))
  const leads = await Promise.all(Array.from({ length: 10 }, assignedLead))
  for (const lead of leads) await publishEventsOfLead(pipeline.context, lead)
  await crm.waitForCount(10)
  const nodes = 'nodes' in pipeline.context.redis ? pipeline.context.redis.nodes('master') : []
  expect(nodes).toHaveLength(3)
  await Promise.all(nodes.map((node) => node.flushall()))

  await drain(pipeline.context)
  expect(new Set(leadsOf(crm))).toEqual(new Set(leads))
})

test('a master that is killed under load is replaced, and nothing is lost', async () => {
  const scenario = SCENARIOS.find(({ id }) => id === 'S18')
  if (scenario === undefined) throw new Error('There is no S18')
  const { faults, verdict, figures } = await runScenario(scenario, 'quick')

  expect(faults).toEqual([])
  expect(verdict?.lost).toBe(0)
  expect(figures['longest gap']).toBeDefined()
}, 240_000)

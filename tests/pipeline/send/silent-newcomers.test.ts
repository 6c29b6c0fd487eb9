import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { queuePrefix } from '#core/queue/redis.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { createStandings } from '#worker/endpoint/endpoint-standings.ts'

// The silent ones are given up long after the test has its answer.
vi.setConfig({ testTimeout: 120_000 })

const SLOTS = 20

let pipeline: TestPipeline
let silent: Receiver
let crm: Receiver

beforeAll(async () => {
  silent = await startReceiver('hang')
  crm = await startReceiver(200)
  pipeline = await startPipeline({
    WEBHOOK_CONCURRENCY: String(SLOTS),
    WEBHOOK_TIMEOUT_MS: '60000',
    WEBHOOK_RETRY_SCHEDULE: '3600',
  })
})
afterAll(async () => {
  await silent.close()
  await pipeline.close()
  await crm.close()
})

async function givenWebhooks(receiver: Receiver, name: string, count: number): Promise<string> {
  const client = await givenClient(pipeline.db)
  for (let index = 0; index < count; index += 1) {
    await givenConfig(pipeline.context, client, {
      endpoint_url: `${receiver.url}/${name}-${index}`,
      trigger_on_lead_created: true,
      trigger_on_lead_assigned: false,
    })
  }
  return client
}

async function sendLeads(client: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, client))
  }
}

const arrived = (name: string) => crm.requests.filter(({ path }) => path.startsWith(`/${name}`)).length

test("a client's new webhooks that never answer hold up nobody else's leads, not even those of a newcomer", async () => {
  const hostile = await givenWebhooks(silent, 'silent', 10)
  const [known, newcomer] = [await givenWebhooks(crm, 'known', 1), await givenWebhooks(crm, 'newcomer', 1)]
  await sendLeads(known, 1)
  await waitUntil(() => arrived('known') === 1, { what: 'the first lead of the client who is known' })

  await sendLeads(hostile, 12)
  await waitUntil(() => silent.requests.length >= 2, { what: 'the silent endpoints being tried' })
  await sendLeads(known, 10)
  await sendLeads(newcomer, 10)
  // All while not one of the silent requests has ended: they have a minute each.
  await waitUntil(() => arrived('known') === 11 && arrived('newcomer') === 10, {
    what: 'the leads of the others',
    timeoutMs: 45_000,
  })
  expect(silent.requests.length).toBeLessThan(SLOTS)
})

test('a worker that begins anew knows which endpoints have answered', async () => {
  const client = await givenWebhooks(crm, 'again', 1)
  await sendLeads(client, 1)
  await waitUntil(() => arrived('again') === 1, { what: 'the first lead' })
  const keys = async () => pipeline.context.redis.keys('*:standing:*')
  await waitUntil(async () => (await keys()).length > 0, { what: 'what was learned being kept' })
  const [key] = await keys()
  expect(await pipeline.context.redis.get(key ?? '')).toBe('proved')
})

test('what an endpoint has shown is kept for as long as it answers, not only since it last changed', async () => {
  const standings = createStandings(pipeline.context, 4)
  const endpoint = randomUUID()
  const key = `${queuePrefix(pipeline.context.config.redis)}:standing:${endpoint}`
  const end = async () => Number(await pipeline.context.redis.call('pexpiretime', key))
  standings.keep(endpoint, 'proved')
  await waitUntil(async () => (await end()) > 0, { what: 'it being kept' })
  const first = await end()
  const keepOn = async () => {
    standings.keep(endpoint, 'proved')
    return (await end()) > first
  }
  await waitUntil(keepOn, { what: 'it being kept for longer' })
  expect(await standings.read(endpoint)).toBe('proved')
})

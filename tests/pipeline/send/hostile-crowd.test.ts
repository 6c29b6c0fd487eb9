import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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

// The silent ones are given up long after the tests have their answers.
vi.setConfig({ testTimeout: 120_000 })

const SLOTS = 20
const CROWD = 20

let pipeline: TestPipeline
let crm: Receiver
/** Endpoints whose paths begin so never answer. */
const silent = new Set(['/crowd'])

beforeAll(async () => {
  const isSilent = (path: string): boolean => [...silent].some((begin) => path.startsWith(begin))
  crm = await startReceiver(({ path }) => (isSilent(path) ? 'hang' : 200))
  pipeline = await startPipeline({
    WEBHOOK_CONCURRENCY: String(SLOTS),
    WEBHOOK_TIMEOUT_MS: '60000',
    WEBHOOK_RETRY_SCHEDULE: '3600',
  })
})
afterAll(async () => {
  await crm.close()
  await pipeline.close()
})

async function givenWebhooks(name: string, count: number): Promise<string> {
  const client = await givenClient(pipeline.db)
  for (let index = 0; index < count; index += 1) {
    await givenConfig(pipeline.context, client, {
      endpoint_url: `${crm.url}/${name}/${index}`,
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

const arrived = (name: string) => crm.requests.filter(({ path }) => path.startsWith(`/${name}/`)).length

async function givenKnown(name: string, webhooks: number): Promise<string> {
  const client = await givenWebhooks(name, webhooks)
  await sendLeads(client, 1)
  await waitUntil(() => arrived(name) === webhooks, { what: `the first lead of ${name}` })
  return client
}

// Both while not one of the silent requests has ended: they have a minute each.
const SOON = { timeoutMs: 45_000 }

test('a client whose proved endpoints fall silent, with many deliveries waiting, holds up nobody else', async () => {
  const [turning, calm] = [await givenKnown('turning', 2), await givenKnown('calm', 1)]
  silent.add('/turning')
  await sendLeads(turning, 100)
  await waitUntil(() => arrived('turning') > 2 + 2, { what: 'the silent ones being tried' })

  await sendLeads(calm, 10)
  await waitUntil(() => arrived('calm') === 1 + 10, { ...SOON, what: 'the leads of the other client' })
  expect(arrived('turning')).toBeLessThan(2 + SLOTS)
})

test('a crowd of clients at once, each with new webhooks that never answer, holds up nobody who is known', async () => {
  const known = await givenKnown('known', 1)
  const crowd: string[] = []
  for (let index = 0; index < CROWD; index += 1) crowd.push(await givenWebhooks(`crowd-${index}`, 2))
  await Promise.all(crowd.map((client) => sendLeads(client, 1)))
  await waitUntil(() => crm.requests.filter(({ path }) => path.startsWith('/crowd')).length >= 3, {
    what: 'the silent ones being tried',
  })

  await sendLeads(known, 10)
  await waitUntil(() => arrived('known') === 1 + 10, { ...SOON, what: 'the leads of who is known' })
})

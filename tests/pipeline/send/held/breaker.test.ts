import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import { BREAKER_RULE } from '#core/domain/webhooks/breaker.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'

const BREAKER_OPENS_AFTER = BREAKER_RULE.opensAfter

let pipeline: TestPipeline
let crm: Receiver
let client: string

beforeAll(async () => {
  pipeline = await startPipeline({ WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1', WEBHOOK_TIMEOUT_MS: '15000' })
})
afterAll(async () => {
  await pipeline.close()
})
beforeEach(async () => {
  crm = await startReceiver()
  client = await givenClient(pipeline.db)
  return () => crm.close()
})

async function givenConfigOfCrm(): Promise<string> {
  const { id } = await givenConfig(pipeline.context, client, {
    endpoint_url: crm.url,
    trigger_on_lead_created: true,
    trigger_on_lead_assigned: false,
  })
  return id
}

async function sendLeads(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, client))
  }
}

async function healthOf(configId: string) {
  return await pipeline.db
    .selectFrom('webhook_endpoint_health')
    .selectAll()
    .where('webhook_config_id', '=', configId)
    .executeTakeFirst()
}

async function statesOf(configId: string): Promise<Record<string, number>> {
  const rows = await pipeline.db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => ['state', fn.countAll<string>().as('count')])
    .where('webhook_config_id', '=', configId)
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}

async function waitForBreaker(configId: string, state: 'open' | 'closed'): Promise<void> {
  await waitUntil(async () => (await healthOf(configId))?.breaker === state, {
    what: `the breaker being ${state}`,
    timeoutMs: 20_000,
  })
}

test('an endpoint that breaks every connection gets only single probes, and everything once it is back', async () => {
  crm.answerWith('reset')
  const config = await givenConfigOfCrm()
  await sendLeads(BREAKER_OPENS_AFTER + 5)
  await waitForBreaker(config, 'open')
  await waitUntil(async () => (await statesOf(config))['pending'] === undefined, {
    what: 'every delivery being held',
  })

  const probesFrom = crm.requests.length
  await crm.waitForCount(probesFrom + 2)
  const [first, second] = crm.requests.slice(probesFrom).map(({ receivedAt }) => receivedAt)
  // The second probe waits twice as long as the first, minus the jitter.
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(1500)

  crm.answerWith(200)
  await releaseHeldOf(pipeline.db, config)
  await waitForBreaker(config, 'closed')
  await waitUntil(async () => (await statesOf(config))['delivered'] === BREAKER_OPENS_AFTER + 5, {
    what: 'every delivery being delivered',
    timeoutMs: 20_000,
  })
  expect(await statesOf(config)).toEqual({ delivered: BREAKER_OPENS_AFTER + 5 })
})

test('one delivery at a time passes an open breaker', async () => {
  crm.answerWith('reset')
  const config = await givenConfigOfCrm()
  await sendLeads(BREAKER_OPENS_AFTER + 5)
  await waitForBreaker(config, 'open')
  await waitUntil(async () => (await statesOf(config))['pending'] === undefined, {
    what: 'every delivery being held',
  })
  const before = crm.requests.length
  const probing = Promise.withResolvers<void>()
  crm.answerWith({ status: 200, after: probing.promise })
  await crm.waitForCount(before + 1, { timeoutMs: 20_000 })
  expect((await statesOf(config))['pending']).toBe(1)
  expect((await healthOf(config))?.probe_delivery_id).not.toBeNull()
  // While the probe has no answer, no second one is sent.
  await sleep(1000)
  expect(crm.requests).toHaveLength(before + 1)
  expect((await statesOf(config))['pending']).toBe(1)
  probing.resolve()
  await waitForBreaker(config, 'closed')
})

test('an endpoint that refuses quickly never opens its breaker; each delivery keeps its own schedule', async () => {
  crm.answerWith(500)
  const config = await givenConfigOfCrm()
  await sendLeads(BREAKER_OPENS_AFTER + 2)
  await waitUntil(async () => (await statesOf(config))['failed'] === BREAKER_OPENS_AFTER + 2, {
    what: 'every delivery having failed',
    timeoutMs: 40_000,
  })
  expect(crm.requests).toHaveLength((BREAKER_OPENS_AFTER + 2) * 6)
  await waitUntil(
    async () => ((await healthOf(config))?.failures_in_row ?? 0) >= (BREAKER_OPENS_AFTER + 2) * 6,
    {
      what: 'every failure being counted',
    },
  )
  expect(await healthOf(config)).toMatchObject({ breaker: 'closed', unanswered_in_row: 0, last_status: 500 })
})

test('a changed configuration is probed at once, however long its breaker would wait', async () => {
  crm.answerWith('reset')
  const config = await givenConfigOfCrm()
  await sendLeads(BREAKER_OPENS_AFTER)
  await waitForBreaker(config, 'open')
  await pipeline.db
    .updateTable('webhook_endpoint_health')
    .set({ probe_at: new Date(Date.now() + 3600_000), probes: 20 })
    .where('webhook_config_id', '=', config)
    .execute()
  crm.answerWith(200)
  expect(await releaseHeldOf(pipeline.db, config)).toEqual([])
  await waitForBreaker(config, 'closed')
})

test('each endpoint’s outcomes are counted hour by hour', async () => {
  const config = await givenConfigOfCrm()
  crm.answerWith((_request, index) => (index === 0 ? 500 : 200))
  await sendLeads(3)
  await waitUntil(async () => (await statesOf(config))['delivered'] === 3, { what: 'three deliveries' })
  const hours = async () =>
    await pipeline.db
      .selectFrom('webhook_endpoint_hours')
      .select(['delivered', 'failed', 'latency'])
      .where('webhook_config_id', '=', config)
      .execute()
  await waitUntil(async () => (await hours()).reduce((sum, hour) => sum + hour.delivered, 0) === 3, {
    what: 'the hour being told',
  })
  const rows = await hours()
  expect(rows.reduce((sum, hour) => sum + hour.failed, 0)).toBe(1)
  expect(rows.flatMap(({ latency }) => latency).reduce((sum, count) => sum + count, 0)).toBe(4)
  expect(await healthOf(config)).toMatchObject({ failures_in_row: 0, failing_since: null, last_status: 200 })
})

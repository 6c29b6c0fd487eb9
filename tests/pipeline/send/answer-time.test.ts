import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { armFailpoints } from '#core/failpoints.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  drain,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

/** Delay between the claim and the request, and the endpoint's response time. */
const BEFORE_MS = 2500
const TAKES_MS = 600

let pipeline: TestPipeline
let crm: Receiver

beforeAll(async () => {
  crm = await startReceiver()
  pipeline = await startPipeline()
})
afterAll(async () => {
  await pipeline.close()
  await crm.close()
})
afterEach(() => {
  armFailpoints([])
})

test('the log, the health and the histogram measure from the request to its answer, not from the claim', async () => {
  armFailpoints([{ name: 'before-send', act: { kind: 'pause', ms: BEFORE_MS }, pass: undefined }])
  crm.answerWith({ status: 200, delayMs: TAKES_MS })
  const client = await givenClient(pipeline.db)
  const { id } = await givenConfig(pipeline.context, client, {
    endpoint_url: crm.url,
    trigger_on_lead_created: true,
    trigger_on_lead_assigned: false,
  })
  const lead = await givenLead(pipeline.db, client)
  await publishEventsOfLead(pipeline.context, lead)
  await drain(pipeline.context)

  // Database and receiver run on one machine, so they share a clock.
  const cameAt = crm.requests[0]?.receivedAt ?? Infinity
  const log = await pipeline.db
    .selectFrom('webhook_delivery_logs')
    .select(['id', 'created_at', 'processing_time_ms'])
    .where('lead_id', '=', lead)
    .executeTakeFirstOrThrow()
  const answeredAt = log.created_at.getTime() + (log.processing_time_ms ?? 0)
  // The claim's answer needs a moment to arrive, which the test cannot measure.
  const SLACK_MS = 2000
  expect(answeredAt).toBeGreaterThan(cameAt + TAKES_MS - SLACK_MS)
  expect(answeredAt).toBeLessThanOrEqual(Date.now())

  const health = await waitUntil(
    async () =>
      await pipeline.db
        .selectFrom('webhook_endpoint_health')
        .select(['last_attempt_at', 'last_success_at'])
        .where('webhook_config_id', '=', id)
        .where('last_success_at', 'is not', null)
        .executeTakeFirst(),
    { what: 'the outcome being told' },
  )
  expect(health).toEqual({ last_attempt_at: new Date(answeredAt), last_success_at: new Date(answeredAt) })

  const text = await pipeline.context.metrics.registry.metrics()
  const sum = Number(/^leadwire_lead_to_delivered_seconds_sum (\S+)$/m.exec(text)?.[1])
  expect(sum).toBeGreaterThan((BEFORE_MS + TAKES_MS) / 1000)
})

import { Job } from 'bullmq'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLANS } from '#core/fairness/limits.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { createPlanDeliveries } from '#worker/pipeline/1-plan-deliveries.ts'

const PIECES = 6

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

async function givenClientWithWebhook(): Promise<string> {
  const client = await givenClient(pipeline.db)
  const fields = { endpoint_url: 'https://crm.example.com', trigger_on_lead_created: true }
  await givenConfig(pipeline.context, client, fields)
  return client
}

/** A job of so many new leads' events. */
async function givenJob(client: string, count: number, turn: number): Promise<Job> {
  const leads = await Promise.all(Array.from({ length: count }, () => givenLead(pipeline.db, client)))
  const events = await pipeline.db.selectFrom('events').select('id').where('lead_id', 'in', leads).execute()
  const [first, ...further] = events.map(({ id }) => id)
  const [queue] = await pipeline.context.watchedQueues.get()
  if (queue === undefined) throw new Error('there is no queue')
  return new Job(queue, 'lead-created', { event_id: first, further_event_ids: further }, { priority: turn })
}

/**
 * Plans a burst of one client in pieces, before each but the first a single lead of another. Answers how many milliseconds those
 * pieces took, with their rests.
 */
async function timeBurst(bursting: string, single: string): Promise<number> {
  const planDeliveries = createPlanDeliveries(pipeline.context, () => Promise.resolve())
  await planDeliveries(await givenJob(bursting, PLANS.burstPiece, 1))
  let tookMs = 0
  for (let piece = 1; piece < PIECES; piece += 1) {
    const burst = await givenJob(bursting, PLANS.burstPiece, 1)
    await planDeliveries(await givenJob(single, 1, 0))
    const begunAt = performance.now()
    await planDeliveries(burst)
    tookMs += performance.now() - begunAt
  }
  return tookMs
}

test("a burst rests beside another client's single leads, and not beside those of its own client", async () => {
  const [bursting, other] = [await givenClientWithWebhook(), await givenClientWithWebhook()]
  const besideOwn = await timeBurst(bursting, bursting)
  const besideOther = await timeBurst(bursting, other)
  // A rest is twenty times as long as its piece, so a busy machine slows both.
  expect(besideOwn).toBeLessThan(besideOther / 2)
})

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
import { createPlanning } from '#worker/pipeline/1-plan-deliveries.ts'

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
 * Plans a burst of one client in pieces, before each but the first a single lead of another. Answers how many milliseconds passed
 * between the planning of these pieces and their end.
 */
async function timeRests(bursting: string, single: string): Promise<number> {
  let plannedAt = 0
  const { planDeliveries } = createPlanning(pipeline.context, () => {
    plannedAt = performance.now()
    return Promise.resolve()
  })
  // All are there before the first begins: who has brought a burst is known for it for a second.
  const first = await givenJob(bursting, PLANS.burstPiece, 1)
  const jobs: { lead: Job; piece: Job }[] = []
  for (let piece = 1; piece < PIECES; piece += 1)
    jobs.push({
      lead: await givenJob(single, 1, 0),
      piece: await givenJob(bursting, PLANS.burstPiece, 1),
    })

  let restedMs = 0
  await planDeliveries(first)
  for (const { lead, piece } of jobs) {
    await planDeliveries(lead)
    await planDeliveries(piece)
    restedMs += performance.now() - plannedAt
  }
  return restedMs
}

test("a burst rests beside another client's single leads, and not beside those of its own client", async () => {
  const [bursting, other] = [await givenClientWithWebhook(), await givenClientWithWebhook()]
  const besideOwn = await timeRests(bursting, bursting)
  const besideOther = await timeRests(bursting, other)
  // A rest is twenty times as long as its piece, so on a busy machine both are longer.
  expect(besideOwn).toBeLessThan(besideOther / 2)
})

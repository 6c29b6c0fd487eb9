import { Job } from 'bullmq'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLowPriorityLimiter } from '#worker/dispatch/limit-low-priority.ts'
import { LOW_PRIORITY, PLANS } from '#core/fairness/limits.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { planningParts } from '#tests/support/given/planning-parts.ts'
import { createPlanning } from '#worker/pipeline/1-plan-deliveries.ts'

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

/** Builds a job of new leads' events. */
async function givenJob(client: string, count: number, turn: number): Promise<Job> {
  const leads = await Promise.all(Array.from({ length: count }, () => givenLead(pipeline.db, client)))
  const events = await pipeline.db.selectFrom('events').select('id').where('lead_id', 'in', leads).execute()
  const [first, ...further] = events.map(({ id }) => id)
  const [queue] = await pipeline.context.watchedQueues.get()
  if (queue === undefined) throw new Error('there is no queue')
  return new Job(queue, 'lead-created', { event_id: first, further_event_ids: further }, { priority: turn })
}

/** Plans a chunk of a burst right after somebody's first attempt. Returns how many milliseconds it paused. */
async function timeRest(bursting: string, single: string): Promise<number> {
  const lowPriority = createLowPriorityLimiter({
    most: LOW_PRIORITY.mostPerSecond,
    start: LOW_PRIORITY.startPerSecond,
    least: LOW_PRIORITY.leastPerSecond,
    now: () => performance.now(),
  })
  let plannedAt = 0
  const announceDue = () => {
    lowPriority.noteFirstAttempt(single, 3)
    plannedAt = performance.now()
    return Promise.resolve()
  }
  const { planDeliveries } = createPlanning(pipeline.context, planningParts({ announceDue, lowPriority }))
  await planDeliveries(await givenJob(bursting, PLANS.burstPiece, 1))
  return performance.now() - plannedAt
}

test("a burst pauses for another client's single leads, and not for those of its own client", async () => {
  const [bursting, other] = [await givenClientWithWebhook(), await givenClientWithWebhook()]
  const restMs = (PLANS.burstPiece * 1000) / LOW_PRIORITY.startPerSecond
  expect(await timeRest(bursting, bursting)).toBeLessThan(restMs)
  expect(await timeRest(bursting, other)).toBeGreaterThanOrEqual(restMs - 1)
})

test('a burst that makes no deliveries pauses as well', async () => {
  const [bursting, other] = [await givenClient(pipeline.db), await givenClientWithWebhook()]
  expect(await timeRest(bursting, other)).toBeGreaterThanOrEqual(
    (PLANS.burstPiece / 2) * (1000 / LOW_PRIORITY.startPerSecond) - 1,
  )
})

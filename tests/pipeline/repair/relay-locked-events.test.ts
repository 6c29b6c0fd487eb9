import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenClient, givenLeadsOf, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { createRelayEvents } from '#worker/housekeeping/repair/relay-events.ts'

/** More than the relay takes at once. */
const COUNT = 600
const MOST_MS = 2000

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

test('one run of the relay takes events with locked rows once, and ends', async () => {
  const { context, db } = pipeline
  await givenLeadsOf(db, Array<string>(COUNT).fill(await givenClient(db)))
  await sql`update events set created_at = now() - interval '1 minute'`.execute(db)
  await db.transaction().execute(async (trx) => {
    await sql`select from events for update`.execute(trx)
    const signal = AbortSignal.timeout(MOST_MS)
    await createRelayEvents(context)(signal)
    expect(signal.aborted).toBe(false)
  })

  const queues = await context.watchedQueues.get()
  const counts = await Promise.all(queues.map((queue) => queue.count()))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(COUNT)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATCHES } from '#server/admission/limits.ts'
import { EVENT_BURSTS_QUEUE, LEAD_EVENTS_QUEUE, eventJobSchema } from '#core/queue/queues.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { newLead, startApp, type TestApp } from '../../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
  // The first events open the server's queues. On a busy machine that can take longer than the server waits for Redis,
  // and then it leaves them to the relay, of which there is none here.
  await waitUntil(
    async () => {
      await postBatch(BATCHES.piece + 1)
      return await waitUntil(areOpen, { timeoutMs: 3000 }).catch(() => false)
    },
    { what: 'Open queues', timeoutMs: 60_000 },
  )
}, 90_000)
afterAll(() => app.close())

/** A new source, with all its tokens, sends a batch. Returns the ids of its leads. */
async function postBatch(size: number): Promise<string[]> {
  const { key } = await app.newSource({ owner: await app.newClient() })
  const leads = Array.from({ length: size }, () => newLead())
  const { json } = await app.call('POST', '/api/v1/leads/batch', { token: key, body: leads })
  return json.results.map(({ lead_id: id }) => id)
}

/** Whether both queues have got something. */
async function areOpen(): Promise<boolean> {
  const queues = [await readQueue(LEAD_EVENTS_QUEUE), await readQueue(EVENT_BURSTS_QUEUE)]
  return queues.every((leads) => leads.size > 0)
}

/** Returns the leads whose events wait in a queue. */
async function readQueue(name: string): Promise<Set<string | null>> {
  const queue = (await app.context.operations.queues.get()).find((one) => one.name === name)
  if (queue === undefined) throw new Error(`there is no queue ${name}`)
  const jobs = await queue.getJobs(['waiting', 'prioritized'])
  const ids = jobs.flatMap(({ data }) => {
    const { event_id: first, further_event_ids: further = [] } = eventJobSchema.parse(data)
    return [first, ...further]
  })
  if (ids.length === 0) return new Set()
  const { db } = app.context
  const rows = await db.selectFrom('events').select('lead_id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ lead_id: id }) => id))
}

test('the first chunk of a batch has normal priority and the rest low priority, however few leads its source sends', async () => {
  const ids = await postBatch(2 * BATCHES.piece + 1)
  // Each queue is filled on its own, so neither tells when the other is.
  const [single, burst] = await waitUntil(async () => {
    const queues = [await readQueue(LEAD_EVENTS_QUEUE), await readQueue(EVENT_BURSTS_QUEUE)]
    const found = queues.map((leads) => ids.filter((id) => leads.has(id)))
    return found.flat().length >= ids.length && found
  })

  expect(single).toEqual(ids.slice(0, BATCHES.piece))
  expect(burst).toEqual(ids.slice(BATCHES.piece))
})

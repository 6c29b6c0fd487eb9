import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATCHES } from '#server/admission/limits.ts'
import { EVENT_BURSTS_QUEUE, LEAD_EVENTS_QUEUE, eventJobSchema } from '#core/queue/queues.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { newLead, startApp, type TestApp, type TestSource } from '../../support/start-app.ts'

let app: TestApp
let source: TestSource
beforeAll(async () => {
  app = await startApp()
  source = await app.newSource({ owner: await app.newClient() })
})
afterAll(() => app.close())

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
  const leads = Array.from({ length: 2 * BATCHES.piece + 1 }, () => newLead())
  const { json } = await app.call('POST', '/api/v1/leads/batch', { token: source.key, body: leads })
  const ids = json.results.map(({ lead_id: id }) => id)
  const burst = await waitUntil(async () => {
    const found = await readQueue(EVENT_BURSTS_QUEUE)
    return found.size === BATCHES.piece + 1 && found
  })

  expect(await readQueue(LEAD_EVENTS_QUEUE)).toEqual(new Set(ids.slice(0, BATCHES.piece)))
  expect(burst).toEqual(new Set(ids.slice(BATCHES.piece)))
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '#core/data/database.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  givenLeadsOf,
  publishEventsOfLead,
  startPipeline,
  type GivenConfig,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

const COUNT = 10
/** Longer than a lead may wait for somebody else's row, and shorter than the row is locked. */
const PROMPTLY_MS = 3000
/** More than are planned at the same time, so that jobs of them take turns with others'. */
const MANY = 600

let pipeline: TestPipeline
let receiver: Receiver
let held: string
let other: string
let configurationOfHeld: GivenConfig
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  receiver = await startReceiver()
  const { context, db } = pipeline
  held = await givenClient(db)
  other = await givenClient(db)
  configurationOfHeld = await givenConfig(context, held, {
    endpoint_url: `${receiver.url}/held`,
    trigger_on_lead_created: true,
  })
  await givenConfig(context, other, { endpoint_url: `${receiver.url}/other`, trigger_on_lead_created: true })
})
afterAll(async () => {
  await receiver.close()
  await pipeline.close()
})

/** As an account that is being deleted has it, or a server that stands still. */
async function lockConfiguration(db: Db): Promise<() => Promise<void>> {
  const isLocked = Promise.withResolvers<undefined>()
  const mayEnd = Promise.withResolvers<undefined>()
  const done = db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('client_webhook_configs')
      .select('id')
      .where('id', '=', configurationOfHeld.id)
      .forUpdate()
      .execute()
    isLocked.resolve(undefined)
    await mayEnd.promise
  })
  await Promise.race([isLocked.promise, done])
  return async () => {
    mayEnd.resolve(undefined)
    await done
  }
}

const idsAt = (path: string): Set<unknown> =>
  new Set(
    receiver.requests.filter((request) => request.path === path).map(({ headers }) => headers['webhook-id']),
  )

test('a configuration that somebody has locked keeps nobody else’s leads waiting, and loses none of its own', async () => {
  const { context, db } = pipeline
  const unlock = await lockConfiguration(db)
  try {
    const leads = await Promise.all(
      Array.from({ length: 2 * COUNT }, (_lead, index) => givenLead(db, index % 2 === 0 ? held : other)),
    )
    // One pile, so that they are planned in one statement.
    await context.events.publish(await findEventsToEnqueueOfLeads(db, leads), { mark: 'now' })
    await pipeline.startWorker()
    await waitUntil(() => idsAt('/other').size === COUNT, {
      what: 'What came in one pile with it',
      timeoutMs: PROMPTLY_MS,
    })

    for (let index = 1; index <= COUNT; index += 1) {
      await publishEventsOfLead(context, await givenLead(db, held))
      await publishEventsOfLead(context, await givenLead(db, other))
      await waitUntil(() => idsAt('/other').size === COUNT + index, {
        what: 'What came later',
        timeoutMs: PROMPTLY_MS,
      })
    }
    expect(idsAt('/held').size).toBe(0)
  } finally {
    await unlock()
  }

  await waitUntil(() => idsAt('/held').size === 2 * COUNT, { what: 'Its own', timeoutMs: 20_000 })
  expect(receiver.requests).toHaveLength(4 * COUNT)
})

test('however many leads wait for it, others’ are sent promptly, and those when it is free', async () => {
  const { context, db } = pipeline
  const [heldBefore, otherBefore] = [idsAt('/held').size, idsAt('/other').size]
  const unlock = await lockConfiguration(db)
  try {
    const leads = await givenLeadsOf(db, Array<string>(MANY).fill(held))
    await context.events.publish(await findEventsToEnqueueOfLeads(db, leads), { mark: 'now' })
    for (let index = 1; index <= COUNT; index += 1) {
      await publishEventsOfLead(context, await givenLead(db, other))
      await waitUntil(() => idsAt('/other').size === otherBefore + index, {
        what: 'What came beside many',
        timeoutMs: PROMPTLY_MS,
      })
    }
    expect(idsAt('/held').size).toBe(heldBefore)
  } finally {
    await unlock()
  }

  await waitUntil(() => idsAt('/held').size === heldBefore + MANY, { what: 'Its own', timeoutMs: 60_000 })
})

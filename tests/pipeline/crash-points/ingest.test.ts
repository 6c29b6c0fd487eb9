// Crashes between the source's POST and the event's job in Redis: nothing accepted is lost or stored twice.
import { expect, test, vi } from 'vitest'
import { LEAD_EVENTS_QUEUE, eventJobId } from '#core/queue/queues.ts'
import { createRelayEvents } from '#worker/housekeeping/repair/relay-events.ts'
import { waitUntil } from '../../support/condition.ts'
import { holdInserts, setUpCrashPoint } from '#tests/support/processes/crash-point.ts'
import { drain, givenConfig } from '#tests/support/given/pipeline.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const NOTHING = { leads: 0, events: 0, deliveries: {}, logs: 0, receipts: 0, webhookIds: 0 }
const ONE_DELIVERED = {
  leads: 1,
  events: 1,
  deliveries: { delivered: 1 },
  logs: 1,
  receipts: 1,
  webhookIds: 1,
}

test.concurrent('1: the API dies before its commit; neither lead nor event exists', async (context) => {
  const { pipeline, connect, server, post, ledger } = await setUpCrashPoint(context)
  const doomed = await server({ FAILPOINTS: 'before-commit=exit*2' })
  // Held in the middle of its statement: the lead is written, its event is not.
  const held = await holdInserts(await connect(), 'events')
  const unanswered = post(doomed, 'once')
  await held.waitFor('leadwire-server')
  await doomed.kill()
  await held.end()

  expect(await unanswered).toBeUndefined()
  expect(await ledger()).toEqual(NOTHING)

  // After its restart the API takes the repeated request, and dies before it writes another lead.
  await Promise.all([doomed.restart(), pipeline.startWorker()])
  expect(await post(doomed, 'once')).toMatchObject({ status: 201 })
  expect(await post(doomed, 'never')).toBeUndefined()
  await drain(pipeline.context)
  expect(await ledger()).toEqual(ONE_DELIVERED)
})

test.concurrent('2: the API commits and its answer is lost; a repeated request gets the same lead', async (context) => {
  const { pipeline, proxyTo, server, post, ledger } = await setUpCrashPoint(context)
  const proxy = await proxyTo('DATABASE_URL')
  const [cut] = await Promise.all([server(proxy.variables), pipeline.startWorker()])
  let cuts = 0
  proxy.onSent((connection, piece) => {
    if (cuts > 0 || !piece.includes('insert into leads')) return
    cuts += 1
    connection.cutAtReply()
  })

  expect((await post(cut, 'once'))?.status).toBeGreaterThanOrEqual(500)
  expect(await ledger()).toMatchObject({ leads: 1, events: 1 })
  const repeated = await post(cut, 'once')
  expect(repeated?.status).toBe(200)
  await waitUntil(async () => (await ledger()).receipts > 0)
  await drain(pipeline.context)
  expect(await ledger()).toEqual(ONE_DELIVERED)
  expect((await pipeline.db.selectFrom('leads').select('id').execute()).map(({ id }) => id)).toEqual([
    repeated?.leadId,
  ])
})

test.concurrent('3: the API dies after its commit and before it enqueues; the relay enqueues the event', async (context) => {
  const { pipeline, crm, server, post, ledger } = await setUpCrashPoint(context)
  const [doomed] = await Promise.all([server({ FAILPOINTS: 'after-commit=exit' }), pipeline.startWorker()])

  expect(await post(doomed)).toBeUndefined()
  expect(await ledger()).toMatchObject({ leads: 1, events: 1 })
  await crm.waitForCount(1, { timeoutMs: 40_000 })
  await drain(pipeline.context)
  expect(await ledger()).toEqual(ONE_DELIVERED)
})

test.concurrent('4: Redis takes the event and its answer is lost; the relay adds no second job', async (context) => {
  const { pipeline, proxyTo, server, post, queue, ledger } = await setUpCrashPoint(context)
  const proxy = await proxyTo('REDIS_URL')
  const deaf = await server(proxy.variables)
  proxy.onSent((connection, piece) => {
    if (piece.includes('evt-')) connection.swallowReplies()
  })
  const events = queue(LEAD_EVENTS_QUEUE)

  const before = performance.now()
  expect(await post(deaf)).toMatchObject({ status: 201 })
  // The publisher waits 1.5 s for Redis; without this limit no answer would come at all.
  expect(performance.now() - before).toBeLessThan(8000)
  await waitUntil(async () => (await events.getJobCountByTypes('waiting', 'prioritized')) === 1)

  const relayEvents = createRelayEvents(pipeline.context)
  await waitUntil(async () => {
    await relayEvents()
    const event = await pipeline.db.selectFrom('events').select('enqueued_at').executeTakeFirstOrThrow()
    return event.enqueued_at !== null
  })
  expect(await events.getJobCountByTypes('waiting', 'prioritized')).toBe(1)
  await pipeline.startWorker()
  await drain(pipeline.context)
  expect(await ledger()).toEqual(ONE_DELIVERED)
})

test.concurrent('5: the API dies before it marks the event as enqueued; a second run of the job plans nothing', async (context) => {
  const { pipeline, crm, client, server, post, queue, ledger } = await setUpCrashPoint(context)
  const [doomed] = await Promise.all([server({ FAILPOINTS: 'before-mark=exit' }), pipeline.startWorker()])

  expect(await post(doomed)).toMatchObject({ status: 201 })
  await crm.waitForCount(1)
  await doomed.ended()
  await drain(pipeline.context)
  // This webhook is created in between, so the event is not for it.
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url, trigger_on_lead_created: true })
  const event = await pipeline.db.selectFrom('events').select('id').executeTakeFirstOrThrow()
  const events = queue(LEAD_EVENTS_QUEUE)
  await events.remove(eventJobId(event.id))
  const job = await events.add('lead-created', { event_id: event.id }, { jobId: eventJobId(event.id) })
  await waitUntil(() => job.isCompleted())
  await drain(pipeline.context)
  expect(await ledger()).toEqual(ONE_DELIVERED)
})

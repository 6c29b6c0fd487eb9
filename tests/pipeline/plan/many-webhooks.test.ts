import { Job } from 'bullmq'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAN_OUT } from '#core/fairness/limits.ts'
import { planSomeDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { EVENT_BURSTS_QUEUE, eventJobSchema } from '#core/queue/queues.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import {
  drain,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { planningParts } from '#tests/support/given/planning-parts.ts'
import { createPlanning } from '#worker/pipeline/1-plan-deliveries.ts'

let pipeline: TestPipeline
let crm: Receiver
beforeAll(async () => {
  crm = await startReceiver()
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(async () => {
  await pipeline.close()
  await crm.close()
})

async function givenClientWith(webhooks: number): Promise<string> {
  const client = await givenClient(pipeline.db)
  for (let index = 0; index < webhooks; index += 1)
    await givenConfig(pipeline.context, client, {
      endpoint_url: `${crm.url}/${client}/${index}`,
      trigger_on_lead_created: true,
    })
  return client
}

/** Returns the ids of new leads' events. */
async function givenEvents(client: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { id } = await pipeline.db
      .selectFrom('events')
      .select('id')
      .where('lead_id', '=', await givenLead(pipeline.db, client))
      .executeTakeFirstOrThrow()
    ids.push(id)
  }
  return ids
}

/** Returns the priorities of an event's deliveries, oldest configuration first. */
async function readTurns(event: string): Promise<number[]> {
  const { rows } = await sql<{ turn: number }>`
    select d.turn from webhook_deliveries d join client_webhook_configs c on c.id = d.webhook_config_id
    where d.event_id = ${event} order by c.created_at, c.id`.execute(pipeline.db)
  return rows.map(({ turn }) => turn)
}

const plan = async (ids: readonly string[], all: number, ofClient = 2 * all) =>
  await planSomeDeliveries(
    pipeline.db,
    ids.map((event_id) => ({ event_id, turn: 0 })),
    { all, ofClient, ofLead: FAN_OUT.ofLead, spreading: [] },
  )

test('events for many webhooks are planned a few at a time, after events for few webhooks', async () => {
  const [many, few] = [await givenClientWith(20), await givenClientWith(1)]
  const ofMany = await givenEvents(many, 5)
  const [ofFew = ''] = await givenEvents(few, 1)

  let asked = [...ofMany, ofFew]
  const made: number[] = []
  for (let isFirst = true; asked.length > 0; isFirst = false) {
    const { due, left } = await plan(asked, 25)
    if (isFirst) expect(due.map(({ event_id: id }) => id)).toContain(ofFew)
    expect(due.filter(({ event_id: id }) => left.some((one) => one.id === id))).toEqual([])
    made.push(due.length)
    asked = left.map(({ id }) => id)
  }
  // Another event is begun while there is room, and planned completely.
  expect(made).toEqual([41, 40, 20])
})

test('an event for more webhooks than are planned together is still planned completely', async () => {
  const events = await givenEvents(await givenClientWith(12), 2)
  const { due, left } = await plan(events, 5)
  expect(due).toHaveLength(12)
  expect(left).toHaveLength(1)
  expect(
    (
      await plan(
        left.map(({ id }) => id),
        5,
      )
    ).due,
  ).toHaveLength(12)
})

test('fewer events of one client are planned together than of all clients, and the remaining ones take no room from others', async () => {
  const clients = [await givenClientWith(2), await givenClientWith(2), await givenClientWith(2)]
  const events: string[] = []
  for (const client of clients) events.push(...(await givenEvents(client, 6)))
  const { due, left } = await plan(events, 12, 5)
  expect(due.map(({ client_user_id: client }) => client).toSorted()).toEqual(
    clients.flatMap((client) => [client, client, client, client]).toSorted(),
  )
  expect(left).toHaveLength(12)
})

test("both events of a client's first lead are planned, however many deliveries they need", async () => {
  const client = await givenClientWith(4)
  const lead = await givenLead(pipeline.db, client)
  const both = await pipeline.db
    .insertInto('events')
    .values({ type: 'lead.assigned', lead_id: lead, client_user_id: client })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  const events = await pipeline.db
    .selectFrom('events')
    .select('id')
    .where('lead_id', '=', both.lead_id)
    .execute()
  const { due, left } = await plan([...events.map(({ id }) => id), ...(await givenEvents(client, 1))], 100, 5)
  expect(due).toHaveLength(8)
  expect(left).toHaveLength(1)
})

test('a planned event returns its waiting deliveries, and is not planned again', async () => {
  const events = await givenEvents(await givenClientWith(3), 2)
  await plan(events, 100)
  const { due, left } = await plan(events, 1)
  expect(due).toHaveLength(6)
  expect(left).toEqual([])
})

test('remaining events take turns by client: a client with few events does not wait for a client with many', async () => {
  const few: string[] = []
  for (let client = 0; client < 5; client += 1) few.push(...(await givenEvents(await givenClientWith(25), 1)))
  const many = await givenEvents(await givenClientWith(12), 20)
  const queues = await pipeline.context.watchedQueues.get()
  const bursts = queues.find(({ name }) => name === EVENT_BURSTS_QUEUE)
  if (bursts === undefined) throw new Error('there is no queue of bursts')

  const [first, ...further] = [...few, ...many]
  const job = new Job(bursts, 'lead-created', { event_id: first, further_event_ids: further })
  await createPlanning(pipeline.context, planningParts()).planDeliveries(job)

  // Four clients' leads make a hundred deliveries; the fifth client is random.
  const left = await bursts.getJobs(['prioritized'], 0, -1, true)
  const inTurn = left.map(({ data, priority }) => {
    const { event_id: one, further_event_ids: others = [] } = eventJobSchema.parse(data)
    return { priority, ids: [one, ...others].toSorted() }
  })
  expect(inTurn).toEqual([
    { priority: 1, ids: [expect.toBeOneOf(few)] },
    { priority: 2, ids: many.toSorted() },
  ])
})

test('if a lead goes to many webhooks, the webhooks that were created last have low priority', async () => {
  const [event = ''] = await givenEvents(await givenClientWith(FAN_OUT.ofLead + 3), 1)
  await plan([event], 100)
  expect(await readTurns(event)).toEqual([...Array<number>(FAN_OUT.ofLead).fill(0), 1, 1, 1])
})

test('a client above its token bucket gets only the first delivery of each event at normal priority; other clients get all', async () => {
  const [spreading, other] = [await givenClientWith(4), await givenClientWith(4)]
  const [one = '', two = '', three = ''] = await givenEvents(spreading, 3)
  const [ofOther = ''] = await givenEvents(other, 1)
  const asked = [one, two, ofOther].map((event_id) => ({ event_id, turn: 0 }))
  const most = { all: 100, ofClient: 100, ofLead: 100, spreading: [spreading] }
  await planSomeDeliveries(pipeline.db, [...asked, { event_id: three, turn: 7 }], most)

  expect(await readTurns(one)).toEqual([0, 1, 1, 1])
  expect(await readTurns(two)).toEqual([0, 1, 1, 1])
  expect(await readTurns(three)).toEqual([7, 7, 7, 7])
  expect(await readTurns(ofOther)).toEqual([0, 0, 0, 0])
})

test('a worker counts, for each client, the deliveries of a single lead beyond the first one', async () => {
  const many = await givenEvents(await givenClientWith(20), 8)
  const one = await givenEvents(await givenClientWith(1), 8)
  const [queue] = await pipeline.context.watchedQueues.get()
  if (queue === undefined) throw new Error('there is no queue')
  const { planDeliveries } = createPlanning(pipeline.context, planningParts())
  for (const event of [...many, ...one])
    await planDeliveries(new Job(queue, 'lead-created', { event_id: event }))

  const atOnce = await Promise.all(
    many.map(async (id) => (await readTurns(id)).filter((turn) => turn === 0).length),
  )
  expect(atOnce).toEqual([20, 20, 20, 1, 1, 1, 1, 1])
  expect(await Promise.all(one.map(readTurns))).toEqual(one.map(() => [0]))
})

test('a worker plans and delivers all leads that come at once for many webhooks', async () => {
  const client = await givenClientWith(30)
  for (let index = 0; index < 20; index += 1)
    await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, client))
  await pipeline.startWorker()
  await drain(pipeline.context, 120_000)
  expect(crm.requests.filter(({ path }) => path.startsWith(`/${client}/`))).toHaveLength(600)
}, 150_000)

test('the limit of events for one client does not apply to events without a client', async () => {
  const admin = await givenClient(pipeline.db, 'admin')
  const fields = { endpoint_url: `${crm.url}/${admin}`, trigger_on_lead_created: true }
  const { id } = await givenConfig(pipeline.context, admin, fields)
  const leads: string[] = []
  for (let index = 0; index < 6; index += 1) leads.push(await givenLead(pipeline.db, null))
  const events = await pipeline.db.selectFrom('events').select('id').where('lead_id', 'in', leads).execute()
  const { due } = await plan(
    events.map((event) => event.id),
    100,
    3,
  )
  expect(due.map((delivery) => delivery.webhook_config_id)).toEqual(Array<string>(6).fill(id))
})

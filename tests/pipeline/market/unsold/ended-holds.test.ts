import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { assignLeads, assignOffers } from '#core/use-cases/market/assign-leads.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline()
  await pipeline.stopWorker()
})
afterAll(() => pipeline.close())

/** Creates a client who buys all leads of a state that nobody else wants. */
async function givenBuyerOf(): Promise<{ state: string; client: string }> {
  const state = freshState()
  const client = await givenBuyer(pipeline.db)
  await givenOrder(pipeline.db, client, { states: [state] })
  return { state, client }
}

const age = (lead: string | undefined, hours: number) =>
  sql`update leads set created_at = now() - make_interval(hours => ${hours}, mins => 1) where id = ${lead}`.execute(
    pipeline.db,
  )
const hold = (lead: string | undefined, minutes: number) =>
  sql`
    update leads set status = 'unassigned', expires_at = now() + make_interval(mins => ${minutes})
    where id = ${lead}`.execute(pipeline.db)
const balanceOf = async (client: string) =>
  (
    await pipeline.db
      .selectFrom('profiles')
      .select('balance')
      .where('user_id', '=', client)
      .executeTakeFirst()
  )?.balance

/** Reads a lead's state, the reason, and whether a decision is still pending. */
async function read(lead: string | undefined) {
  const { rows } = await sql<{ status: string; outcome: string; told: string[]; is_offered: boolean }>`
    select l.status, d.outcome,
      (select array_agg(data ->> 'reason') from events where lead_id = l.id and type = 'lead.unassigned') as told,
      exists (select from events where lead_id = l.id and type = 'lead.offered' and planned_at is null) as is_offered
    from leads l left join assignment_decisions d on d.lead_id = l.id where l.id = ${lead}`.execute(
    pipeline.db,
  )
  return rows[0]
}
const EXPIRED = { status: 'expired', outcome: 'expired', told: ['expired'], is_offered: false }
const SOLD = { status: 'assigned', outcome: 'assigned', told: null, is_offered: false }

async function offer(leads: readonly string[]) {
  const { db, context } = pipeline
  const events = (await findEventsToEnqueueOfLeads(db, leads)).map(({ id }) => id)
  return await assignOffers(context.market, { leads: [], events })
}

test('a lead that waited for its decision longer than the hold expires unsold; other leads are sold', async () => {
  const { state, client } = await givenBuyerOf()
  const [old, young, older] = await givenOffers(pipeline.db, [{ state }, { state }, { state }])
  await age(old, 24)
  await age(young, 23)
  await age(older, 24 * 30)
  const { sales } = await offer([old, young, older].flatMap((lead) => lead ?? []))
  expect(sales).toMatchObject([{ lead_id: young, client_user_id: client }])
  for (const lead of [old, older]) expect(await read(lead)).toEqual(EXPIRED)
  expect(await read(young)).toEqual(SOLD)
  expect(await balanceOf(client)).toBe('975.00')
})

test('a held lead is not sold after the end of its hold, however it is offered', async () => {
  const { context, db } = pipeline
  const { state, client } = await givenBuyerOf()
  const [again, byEvent, byHand, held] = await givenOffers(db, [{ state }, { state }, { state }, { state }])
  for (const lead of [again, byEvent, byHand]) await hold(lead, 0)
  await hold(held, 1)
  const leads = [again, held].flatMap((lead) => lead ?? [])
  expect((await assignOffers(context.market, { leads, events: [] })).sales).toMatchObject([{ lead_id: held }])
  expect((await offer([byEvent ?? ''])).sales).toEqual([])
  expect(await assignLeads(context.market, [byHand ?? ''])).toEqual([])
  for (const lead of [again, byEvent, byHand]) expect(await read(lead)).toEqual(EXPIRED)
  expect(await balanceOf(client)).toBe('975.00')
})

test('an expired lead keeps the reasons for which it was refused before', async () => {
  const { context, db } = pipeline
  const state = freshState()
  const [lead = ''] = await givenOffers(db, [{ state }])
  await offer([lead])
  await hold(lead, 0)
  await assignOffers(context.market, { leads: [lead], events: [] })
  const { rows } =
    await sql`select outcome, reason from assignment_decisions where lead_id = ${lead}`.execute(db)
  expect(rows).toEqual([{ outcome: 'expired', reason: 'no_matching_order' }])
})

test('a lead that was offered and waited longer than the hold cannot be assigned by hand either', async () => {
  const { context, db } = pipeline
  const { state } = await givenBuyerOf()
  const [old = '', young = ''] = await givenOffers(db, [{ state }, { state }])
  await age(old, 24)
  await age(young, 23)
  expect(await assignLeads(context.market, [old, young])).toMatchObject([{ lead_id: young }])
  expect(await read(old)).toMatchObject({ status: 'expired', outcome: 'expired' })
})

test('a lead that was never offered can be assigned by hand, however old it is', async () => {
  const { context, db } = pipeline
  const { state, client } = await givenBuyerOf()
  const [lead = ''] = await givenOffers(db, [{ state }])
  await sql`delete from events where lead_id = ${lead}`.execute(db)
  await age(lead, 24 * 30)
  expect(await assignLeads(context.market, [lead])).toMatchObject([{ client_user_id: client }])
})

test('after an outage longer than the hold a worker sells only leads whose hold has not ended', async () => {
  const { context, db } = pipeline
  const { state, client } = await givenBuyerOf()
  const [old = '', held = '', young = ''] = await givenOffers(db, [{ state }, { state }, { state }])
  await age(old, 24)
  await hold(held, 0)
  await context.events.publish(await findEventsToEnqueueOfLeads(db, [old, held, young]), { mark: 'now' })
  await pipeline.startWorker()
  await waitUntil(async () => (await read(young))?.status === 'assigned', {
    what: 'The young one',
    timeoutMs: 30_000,
  })
  await waitUntil(async () => (await read(held))?.status === 'expired', {
    what: 'The held one',
    timeoutMs: 30_000,
  })
  await waitUntil(async () => (await read(old))?.status === 'expired', {
    what: 'The old one',
    timeoutMs: 30_000,
  })
  expect(await balanceOf(client)).toBe('975.00')
})

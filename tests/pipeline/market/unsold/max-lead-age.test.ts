import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { offerLeadsAgain } from '#core/data/market/sale/offer-again.ts'
import { noteMarketRuns } from '#core/data/market/sale/market-absences.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { assignLeads, assignOffers } from '#core/use-cases/market/assign-leads.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { createOfferAgain } from '#worker/housekeeping/market/offer-again.ts'
import { createAssign } from '#worker/pipeline/0-assign-leads.ts'

const TYPE = 'final_expense'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  await sql`delete from market_absences`.execute(pipeline.db)
})

/** A lead that came so many seconds ago and found no buyer. */
async function giveUnsold(state: string, seconds: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into leads (lead_type, state, status, created_at, expires_at)
    values (${TYPE}, ${state}, 'unassigned', now() - make_interval(secs => ${seconds}), now() + interval '1 day')
    returning id`.execute(pipeline.db)
  return rows[0]?.id ?? ''
}

const giveOrder = async (state: string, minutes: number | null, price = '25.00'): Promise<string> =>
  await givenOrder(pipeline.db, await givenBuyer(pipeline.db), {
    states: [state],
    max_lead_age_minutes: minutes,
    price,
  })

async function readOutcome(lead: string) {
  const { rows } = await sql<{
    status: string
    order_id: string | null
    reason: string | null
    price: string | null
  }>`
    select l.status, l.order_id, d.reason, l.price_charged::text as price
    from leads l left join assignment_decisions d on d.lead_id = l.id where l.id = ${lead}`.execute(
    pipeline.db,
  )
  return rows[0]
}

const makeOlder = (lead: string, seconds: number) =>
  sql`update leads set created_at = created_at - make_interval(secs => ${seconds}) where id = ${lead}`.execute(
    pipeline.db,
  )

test('an unsold lead goes to no order that accepts only newer ones, and to one that accepts older ones at its price', async () => {
  const { db, context } = pipeline
  const state = freshState()
  await giveOrder(state, 15)
  const [young, old] = [await giveUnsold(state, 14 * 60 + 30), await giveUnsold(state, 15 * 60 + 1)]
  await offerLeadsAgain(db, TYPE)
  await sql`update lead_types set rounds_until = null`.execute(db)
  const offerAgain = createOfferAgain(context, createAssign(context))
  await offerAgain(new AbortController().signal)
  expect(await readOutcome(young)).toMatchObject({ status: 'assigned', price: '25.00' })
  expect(await readOutcome(old)).toMatchObject({ status: 'unassigned', reason: 'too_old' })

  const cheap = await giveOrder(state, 60, '12.00')
  await assignLeads(context.market, [old])
  expect(await readOutcome(old)).toMatchObject({ status: 'assigned', order_id: cheap, price: '12.00' })
})

test('an order of an older server, without a limit, takes every lead that is held', async () => {
  const state = freshState()
  const order = await givenOrder(pipeline.db, await givenBuyer(pipeline.db), { states: [state] })
  const lead = await giveUnsold(state, 23 * 3600)
  await assignLeads(pipeline.context.market, [lead])
  expect(await readOutcome(lead)).toMatchObject({ status: 'assigned', order_id: order })
})

test('the first decision about an offered lead is never too late, the next one may be', async () => {
  const { db, context } = pipeline
  const [state, later] = [freshState(), freshState()]
  const [first = '', second = ''] = await givenOffers(db, [{ state }, { state: later }])
  for (const lead of [first, second]) await makeOlder(lead, 3 * 3600)
  await giveOrder(state, 15)
  const events = await findEventsToEnqueueOfLeads(db, [first, second])
  await assignOffers(context.market, { leads: [], events: events.map(({ id }) => id) })
  expect(await readOutcome(first)).toMatchObject({ status: 'assigned' })

  await giveOrder(later, 15)
  await assignLeads(context.market, [second])
  expect(await readOutcome(second)).toMatchObject({ status: 'unassigned', reason: 'too_old' })
})

test('a lead that a person sells counts from its receipt if it was never offered', async () => {
  const { db, context } = pipeline
  const state = freshState()
  await giveOrder(state, 15)
  const give = async (seconds: number) => {
    const [lead = ''] = await givenOffers(db, [{ state }])
    await sql`delete from events where lead_id = ${lead}`.execute(db)
    await makeOlder(lead, seconds)
    return lead
  }
  const [old, young] = [await give(16 * 60), await give(14 * 60)]
  await assignLeads(context.market, [old, young])
  expect(await readOutcome(old)).toMatchObject({ status: 'unassigned', reason: 'too_old' })
  expect(await readOutcome(young)).toMatchObject({ status: 'assigned' })
})

test('time in which no worker ran does not make a lead older, except before it came', async () => {
  const { db, context } = pipeline
  const state = freshState()
  await giveOrder(state, 15)
  await sql`insert into market_absences (began_at, ended_at) values
    (now() - interval '60 minutes', now() - interval '30 minutes'),
    (now() - interval '20 minutes', now() - interval '10 minutes')`.execute(db)
  // Away while they waited: 20 of 34, 20 of 36, and 10 of 24 minutes.
  const minutes = [34, 36, 24]
  const leads = await Promise.all(minutes.map((count) => giveUnsold(state, count * 60)))
  await assignLeads(context.market, leads)
  const outcomes = await Promise.all(leads.map(readOutcome))
  expect(outcomes.map((outcome) => outcome?.status)).toEqual(['unassigned', 'unassigned', 'assigned'])

  await sql`insert into market_absences (began_at, ended_at)
    values (now() - interval '9 minutes', now() - interval '2 minutes')`.execute(db)
  await assignLeads(context.market, leads.slice(0, 2))
  expect(await readOutcome(leads[0] ?? '')).toMatchObject({ status: 'assigned' })
})

test('workers note together that they run, and an absence of half a minute or more, once', async () => {
  const { db } = pipeline
  const seen = (seconds: number | null) =>
    sql`update market_clock set seen_at = now() - make_interval(secs => ${seconds})`.execute(db)
  const readAbsences = async () =>
    (
      await sql<{ seconds: number }>`
        select extract(epoch from ended_at - began_at)::float8 as seconds from market_absences`.execute(db)
    ).rows.map(({ seconds }) => Math.round(seconds))
  const note = () => Promise.all([noteMarketRuns(db), noteMarketRuns(db), noteMarketRuns(db)])
  await seen(null)
  await note()
  await seen(20)
  await note()
  expect(await readAbsences()).toEqual([])
  await seen(100)
  await note()
  expect(await readAbsences()).toHaveLength(1)
  expect(Math.abs((await readAbsences())[0] ?? 0) - 100).toBeLessThan(5)
  const { rows } = await sql`select from market_clock where seen_at > now() - interval '5 seconds'`.execute(
    db,
  )
  expect(rows).toHaveLength(1)
})

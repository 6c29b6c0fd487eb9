import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { offerLeadsAgain } from '#core/data/market/sale/offer-again.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { createOrderCache } from '#core/use-cases/market/order-cache.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { freshState, givenBuyer, givenOffers, givenOrder, topUp } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { createOfferAgain } from '#worker/housekeeping/market/offer-again.ts'
import { createAssign } from '#worker/pipeline/0-assign-leads.ts'

const TYPE = 'final_expense'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

/** Leads that nobody wants, one a second; the newest came just now. @returns their ids, newest first */
async function giveUnsold(count: number, state: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into leads (lead_type, state, status, created_at, expires_at)
    select ${TYPE}, ${state}, 'unassigned', now() - make_interval(secs => n), now() + interval '1 day'
    from generate_series(0, ${count - 1}) n returning id`.execute(pipeline.db)
  return rows.map(({ id }) => id)
}

async function listSold(ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from leads where id = any(${[...ids]}::uuid[]) and status = 'assigned' order by created_at desc`.execute(
    pipeline.db,
  )
  return rows.map(({ id }) => id)
}

/** The chore of a worker with an order cache of its own. */
function openWorker(): () => Promise<void> {
  const { context } = pipeline
  const own = { ...context, market: { ...context.market, orderCache: createOrderCache() } }
  const offerAgain = createOfferAgain(own, createAssign(own))
  return () => offerAgain(new AbortController().signal)
}

const settle = () =>
  sql`update lead_types set offer_again_at = now() + interval '1 hour', rounds_until = null`.execute(
    pipeline.db,
  )

test('two workers sell the newest leads for each added amount, and no lead twice', async () => {
  const { db } = pipeline
  const state = freshState()
  const leads = await giveUnsold(450, state)
  const client = await givenBuyer(db, '0')
  await givenOrder(db, client, { states: [state], price: '25.00' })
  await settle()
  const workers = [openWorker(), openWorker()]
  for (const sold of [10, 20, 30]) {
    await topUp(db, client, '250.00')
    await Promise.all(workers.map((offerAgain) => offerAgain()))
    expect(await listSold(leads)).toEqual(leads.slice(0, sold))
  }
  expect(await findContradictions(db)).toEqual([])
})

test('a round stops when the demand changes, so that the newest lead is first; one in five minutes reaches the oldest', async () => {
  const { db, context } = pipeline
  const leads = await giveUnsold(450, freshState())
  let offered: string[] = []
  const offerAgain = createOfferAgain(context, async (offer) => {
    if ('lead' in offer && leads.includes(offer.lead)) offered.push(offer.lead)
    if (offered.length === 1) await offerLeadsAgain(db, TYPE)
    return undefined
  })
  const run = async () => {
    offered = []
    await offerAgain(new AbortController().signal)
    return offered
  }
  const hasReachedAll = async () => {
    const { rows } = await sql`
      select from lead_types where code = ${TYPE} and offered_all_at > now() - interval '1 minute'`.execute(
      db,
    )
    return rows.length > 0
  }
  await settle()
  await sql`update lead_types set offered_all_at = now() - interval '4 minutes'`.execute(db)
  await offerLeadsAgain(db, TYPE)
  const stopped = await run()
  expect(leads.slice(0, stopped.length)).toEqual(stopped)
  expect({ stopped: stopped.length < leads.length, complete: await hasReachedAll() }).toEqual({
    stopped: true,
    complete: false,
  })

  await sql`update lead_types set rounds_until = null, offered_all_at = now() - interval '5 minutes'`.execute(
    db,
  )
  expect(await run()).toEqual(leads)
  expect(await hasReachedAll()).toBe(true)
})

test('of leads that are decided together, new ones come first as they came, then unsold ones, newest first', async () => {
  const { db, context } = pipeline
  const state = freshState()
  const client = await givenBuyer(db, '25.00')
  await givenOrder(db, client, { states: [state], price: '25.00' })
  const unsold = await giveUnsold(3, state)
  const added = await givenOffers(db, [{ state }, { state }])
  const all = [...added, ...unsold].toReversed()
  const sell = async () => (await assignLeads(context.market, all)).map((sale) => sale.lead_id)
  expect(await sell()).toEqual(added.slice(0, 1))
  const left = [...added.slice(1), ...unsold]
  const { rows } = await sql<{ id: string }>`
    select id from leads where id = any(${left}::uuid[]) order by created_at desc`.execute(db)
  for (const { id } of rows) {
    await topUp(db, client, '25.00')
    expect(await sell()).toEqual([id])
  }
})

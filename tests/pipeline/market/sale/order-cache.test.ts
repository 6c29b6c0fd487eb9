import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDueTypes } from '#core/data/market/sale/unsold-leads.ts'
import { offerLeadsAgain } from '#core/data/market/sale/offer-again.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { createOrderCache, type OrderCache } from '#core/use-cases/market/order-cache.ts'
import type { CandidateOrder } from '#core/use-cases/market/shape-order.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { beginInTheWayOf, countWaiting } from '#tests/support/given/lock-waits.ts'
import { freshState, givenBuyer, givenOffers, givenOrder, topUp } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { createOfferAgain } from '#worker/housekeeping/market/offer-again.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

/** Lists everything that decides. */
function list(book: OrderCache): unknown[] {
  const orders = ['final_expense', 'auto'].flatMap((type): CandidateOrder[] => book.orders.ofType(type))
  return orders.toSorted((a, b) => a.number - b.number)
}

test('cached orders equal a new read, whatever has changed and whichever process changed it', async () => {
  const { db, context } = pipeline
  const [ann, bob] = [await givenBuyer(db), await givenBuyer(db, '50.00')]
  const kept = createOrderCache()
  const refresh = async (book: OrderCache) => await db.transaction().execute((trx) => book.refresh(trx))
  await refresh(kept)
  await sql`insert into lead_types (code, label, price, floor_price) values ('auto', 'Auto', 20, 5)`.execute(
    db,
  )
  const [first, second] = [await givenOrder(db, ann), await givenOrder(db, bob, { lead_type: 'auto' })]
  const expectKept = async (what: string) => {
    await refresh(kept)
    const anew = createOrderCache()
    await refresh(anew)
    expect(list(kept), what).toEqual(list(anew))
  }
  await expectKept('a new type')

  const changes = {
    'a change of an order': sql`update orders set daily_cap = 3 where id = ${first}`,
    'another type': sql`update orders set lead_type = 'auto' where id = ${first}`,
    'a licence': sql`update client_accounts set licensed_states = '{CA}' where user_id = ${ann}`,
    'a suspension': sql`update profiles set status = 'suspended' where user_id = ${bob}`,
    'a resumption': sql`update profiles set status = 'active' where user_id = ${bob}`,
    'an erasure': sql`update auth.users set deleted_at = now() where id = ${bob}`,
    'its end': sql`update auth.users set deleted_at = null where id = ${bob}`,
    'a price': sql`update lead_types set price = 30 where code = 'auto'`,
    'an exception': sql`insert into lead_prices (lead_type, state, price) values ('auto', 'CA', 12)`,
    'no exception': sql`delete from lead_prices`,
    'a balance by hand': sql`update profiles set balance = 75 where user_id = ${bob}`,
    'a tally': sql`update order_tallies set day_leads = 2, day = current_date where order_id = ${second}`,
    'a deletion': sql`update orders set deleted_at = now() where id = ${first}`,
  }
  for (const [what, change] of Object.entries(changes)) {
    await change.execute(db)
    await expectKept(what)
  }
  const deleted = await givenOrder(db, bob)
  await expectKept('an order')
  await sql`update orders set deleted_at = now() where id = ${deleted}`.execute(db)
  await topUp(db, bob, '5.00')
  await expectKept('funds of a client with another order, and a deletion')
  await topUp(db, bob, '100.00')
  await givenOrder(db, bob)
  await expectKept('funds and a new order')

  // The changes come from this process, whose transaction reads before it writes, and from another one.
  const leads = await givenOffers(db, [{}, {}, { lead_type: 'auto' }])
  expect(await assignLeads({ ...context.market, orderCache: kept }, leads)).toHaveLength(3)
  await expectKept('own sales')
  const more = await givenOffers(db, [{}])
  expect(await assignLeads(context.market, more)).toHaveLength(1)
  await expectKept('sales of another')

  // Begun before the next read, and committed after it.
  await db.transaction().execute(async (trx) => {
    await sql`update orders set weight = 9 where id = ${second}`.execute(trx)
    await topUp(db, ann, '10.00')
    await expectKept('what is not committed')
  })
  await expectKept('what was long under way')
  expect(list(kept)).toMatchObject([{ weight: 9 }, {}])
})

test('unsold leads are not offered again until the change can be read, even if their type was due before', async () => {
  const { db } = pipeline
  await sql`insert into lead_prices (lead_type, state, price) values ('final_expense', 'CA', 12)`.execute(db)
  await sql`update lead_types set offer_again_at = now() - interval '1 second'`.execute(db)
  const [claimed] = await beginInTheWayOf(
    db,
    async (trx) => {
      await sql`delete from lead_prices`.execute(trx)
      await offerLeadsAgain(trx, 'final_expense')
    },
    [
      async () => {
        const types = (await claimDueTypes(db, 300)).map(({ code }) => code)
        return { types: types.toSorted(), prices: await db.selectFrom('lead_prices').select('id').execute() }
      },
    ],
  )
  expect(claimed).toMatchObject({ value: { types: ['auto', 'final_expense'], prices: [] } })
})

test('an order that is created while leads are offered again is known to the next decision', async () => {
  const { db, context } = pipeline
  const market = { ...context.market, book: createOrderCache() }
  const offerAgain = createOfferAgain({ ...context, market }, () => Promise.resolve(undefined))
  await sql`update orders set deleted_at = now() where deleted_at is null`.execute(db)
  await sql`update lead_types set offer_again_at = now()`.execute(db)
  const state = freshState()
  const client = await givenBuyer(db)
  await db
    .transaction()
    .execute(async (trx) => {
      // Reading the changes waits for this order.
      await sql`lock table market_changes`.execute(trx)
      const offering = offerAgain(new AbortController().signal)
      await waitUntil(async () => (await countWaiting(db)) === 1, { what: 'The look for changes, waiting' })
      await givenOrder(trx, client, { states: [state] })
      return { offering }
    })
    .then(({ offering }) => offering)
  expect(await assignLeads(market, await givenOffers(db, [{ state }]))).toMatchObject([
    { client_user_id: client },
  ])
})

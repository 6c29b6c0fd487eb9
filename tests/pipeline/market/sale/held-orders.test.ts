import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { readOffered } from './offered-lead.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  // Each test has a market of its own.
  await sql`update orders set deleted_at = now()`.execute(pipeline.db)
})

/** Offers leads while rows are locked, and waits until they are decided. */
async function offerWhile(hold: ReturnType<typeof sql>, leads: string[]) {
  return await pipeline.db.transaction().execute(async (trx) => {
    await hold.execute(trx)
    return await assignLeads(pipeline.context.market, leads)
  })
}

describe.each([
  ['an order', (order: string) => sql`select from orders where id = ${order} for share`],
  [
    'a client’s balance',
    (order: string) =>
      sql`select from profiles where user_id = (select client_user_id from orders where id = ${order}) for no key update`,
  ],
])('%s that another transaction keeps locked', (_what, hold) => {
  test('is skipped, and the next order in turn gets the leads', async () => {
    const { db } = pipeline
    const [ann, bob] = [await givenBuyer(db), await givenBuyer(db)]
    const first = await givenOrder(db, ann, { priority: 1, total_cap: 1 })
    await givenOrder(db, bob)
    const ids = await givenOffers(db, [{}, { state: 'TX' }])
    expect(await offerWhile(hold(first), ids)).toMatchObject([
      { client_user_id: bob },
      { client_user_id: bob },
    ])

    // It missed one turn, and nothing else.
    const [next = ''] = await givenOffers(db, [{}])
    expect(await assignLeads(pipeline.context.market, [next])).toMatchObject([{ client_user_id: ann }])
    expect(await findContradictions(db)).toEqual([])
  })

  test('delays no sale of another order, and leads that only it wants are offered again soon', async () => {
    const { db } = pipeline
    const [ann, bob] = [await givenBuyer(db), await givenBuyer(db)]
    const first = await givenOrder(db, ann, { priority: 1 })
    await givenOrder(db, bob, { states: ['NY'] })
    await sql`update lead_types set offer_again_at = now() + interval '5 minutes'`.execute(db)
    const ids = await givenOffers(db, [{ state: 'TX' }, { state: 'NY' }])
    expect(await offerWhile(hold(first), ids)).toMatchObject([{ lead_id: ids[1], client_user_id: bob }])
    expect(await readOffered(db, ids[0])).toMatchObject({ status: 'unassigned', outcome: 'no_buyer' })
    const { rows } = await sql<{ is_soon: boolean }>`
      select offer_again_at <= now() + interval '10 seconds' as is_soon from lead_types where code = 'final_expense'`.execute(
      db,
    )
    expect(rows).toEqual([{ is_soon: true }])

    expect(await assignLeads(pipeline.context.market, ids)).toMatchObject([{ client_user_id: ann }])
    expect(await findContradictions(db)).toEqual([])
  })
})

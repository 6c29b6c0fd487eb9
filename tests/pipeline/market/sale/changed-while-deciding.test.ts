import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { beginInTheWayOf } from '#tests/support/given/lock-waits.ts'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { readOffered, takeBack } from './offered-lead.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  // Each test has a market of its own.
  await sql`update orders set deleted_at = now()`.execute(pipeline.db)
})

describe('a lead that is decided during a change', () => {
  test('is not sold to a client who was suspended, or whose order was paused, after the choice', async () => {
    const { db, context } = pipeline
    const [ann, bob] = [await givenBuyer(db), await givenBuyer(db)]
    const order = await givenOrder(db, ann, { priority: 1 })
    await givenOrder(db, bob)
    const [lead = '', other = ''] = await givenOffers(db, [{}, {}])
    await beginInTheWayOf(
      db,
      (trx) =>
        sql`update orders set paused_by = 'admin', version = version + 1 where id = ${order}`.execute(trx),
      [() => assignLeads(context.market, [lead])],
    )
    expect(await readOffered(pipeline.db, lead)).toMatchObject({
      assigned_to: bob,
      refused: { order_paused: 1 },
    })

    await sql`update orders set paused_by = null where id = ${order}`.execute(db)
    await beginInTheWayOf(
      db,
      (trx) => sql`update profiles set status = 'suspended' where user_id = ${ann}`.execute(trx),
      [() => assignLeads(context.market, [other])],
    )
    expect(await readOffered(pipeline.db, other)).toMatchObject({
      assigned_to: bob,
      refused: { account_not_active: 1 },
    })
    // Everything written for the first decision is rolled back.
    expect((await readOffered(pipeline.db, other))['told']).toEqual(['lead.offered', 'lead.assigned waits'])
    expect(await findContradictions(db)).toEqual([])
  })

  test('is not sold to a client whose balance has dropped after the choice, though PostgreSQL refuses the debit', async () => {
    const { db, context } = pipeline
    const [ann, bob] = [await givenBuyer(db), await givenBuyer(db)]
    await givenOrder(db, ann, { priority: 1 })
    await givenOrder(db, bob)
    const ids = await givenOffers(db, [{}, {}])
    const [sales] = await beginInTheWayOf(
      db,
      (trx) => sql`update profiles set balance = 30 where user_id = ${ann}`.execute(trx),
      [() => assignLeads(context.market, ids)],
    )
    expect(sales).toMatchObject({ value: [{ client_user_id: ann }, { client_user_id: bob }] })
    expect(await readOffered(pipeline.db, ids[1])).toMatchObject({ assigned_to: bob, refused: { funds: 1 } })
    expect((await readOffered(pipeline.db, ids[0]))['told']).toEqual(['lead.offered', 'lead.assigned waits'])
    expect(await findContradictions(db)).toEqual([])
  })

  test('that the suppression list rejects uses up no place in an order, which another lead of the batch gets', async () => {
    const { db, context } = pipeline
    const [ann, bob] = [await givenBuyer(db), await givenBuyer(db)]
    await givenOrder(db, ann, { priority: 1, total_cap: 1 })
    await givenOrder(db, bob)
    const [hash = Buffer.of()] = hashContact(context.market.suppressionKeys, 'phone', '+12025550166')
    await db.insertInto('suppressions').values({ kind: 'phone', hash, reason: 'opted_out' }).execute()
    const ids = await givenOffers(db, [{ phone: '+12025550166' }, { phone: '+12025550167' }])
    await assignLeads(context.market, ids)
    expect(await readOffered(pipeline.db, ids[0])).toMatchObject({ status: 'rejected', assigned_to: null })
    expect((await readOffered(pipeline.db, ids[0]))['told']).not.toContain('lead.assigned waits')
    expect(await readOffered(pipeline.db, ids[1])).toMatchObject({ status: 'assigned', assigned_to: ann })
    expect(await findContradictions(db)).toEqual([])
  })

  test('stays offered if it was taken back and offered again while an earlier sale was still visible', async () => {
    const { db, context } = pipeline
    await givenOrder(db, await givenBuyer(db))
    const [lead = ''] = await givenOffers(db, [{}])
    const [sale] = await assignLeads(context.market, [lead])
    if (sale === undefined) throw new Error('nobody bought the lead')
    const refresh: typeof context.market.orderCache.refresh = async (trx) => {
      // Runs after the read of the lead.
      await sql`select 1`.execute(trx)
      await takeBack(pipeline.db, lead, { assignment_id: sale.assignment_id, client: sale.client_user_id })
      return await context.market.orderCache.refresh(trx)
    }
    await assignLeads(
      { ...context.market, orderCache: { orders: context.market.orderCache.orders, refresh } },
      [lead],
    )
    expect(await readOffered(pipeline.db, lead)).toMatchObject({ status: 'unassigned', assigned_to: null })
    expect((await readOffered(pipeline.db, lead))['told']).toContain('lead.offered waits')
    expect(await findContradictions(db)).toEqual([])
  })

  test('is sold however often orders change meanwhile, because the chosen orders stay locked', async () => {
    const { db, context } = pipeline
    const client = await givenBuyer(db)
    const give = () => givenOrder(db, client, { priority: 50 })
    const orders = await Promise.all(Array.from({ length: 8 }, give))
    const [lead = ''] = await givenOffers(db, [{}])
    const change = async (id: string, what: RawBuilder<unknown>) => {
      const changing = db.transaction().execute(async (other) => {
        await sql`set local lock_timeout = '100ms'`.execute(other)
        await sql`update orders set ${what} where id = ${id}`.execute(other)
      })
      await changing.catch(() => undefined)
    }
    /**
     * Before orders are read, another process changes them once, and once more right afterwards unless they
     * are locked.
     */
    let reads = 0
    const refresh: typeof context.market.orderCache.refresh = async (trx) => {
      const first = orders[reads % orders.length] ?? ''
      await change(first, sql`priority = ${50 - ++reads}`)
      const read = await context.market.orderCache.refresh(trx)
      await change(first, sql`weight = ${1 + reads}`)
      return read
    }
    const sales = await assignLeads(
      { ...context.market, orderCache: { orders: context.market.orderCache.orders, refresh } },
      [lead],
    )
    expect(sales).toMatchObject([{ lead_id: lead, client_user_id: client }])
    expect(reads).toBe(4)
    expect(await findContradictions(db)).toEqual([])
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderSchema } from '#core/contract/market/order.ts'
import { createOrderCache } from '#core/use-cases/market/order-cache.ts'
import { topUp } from '#tests/support/given/market.ts'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function newBuyer(): Promise<Person> {
  const { db } = app.context
  const buyer = await app.newClient()
  await db.updateTable('client_accounts').set({ status: 'active' }).where('user_id', '=', buyer.id).execute()
  await topUp(db, buyer.id, '1000.00')
  return buyer
}
async function create({ token }: Person): Promise<string> {
  const body = { name: 'All', lead_type: 'final_expense', timezone: 'UTC', active: true }
  const { json } = await app.call('POST', '/api/v1/orders', { token, body })
  return orderSchema.parse(json).id
}
/** Returns the orders in the order in which they are asked. */
async function rank(): Promise<string[]> {
  const book = createOrderCache()
  const { at } = await app.context.db.transaction().execute((trx) => book.refresh(trx))
  return book.orders.rank('final_expense', at).everywhere.open.map(({ order }) => order.id)
}

test('a client who replaces or adds an order gets no earlier turn than an equal client', async () => {
  const { db } = app.context
  const [alice, bob] = [await newBuyer(), await newBuyer()]
  const [first, other] = [await create(alice), await create(bob)]
  const receive = (id: string, leads: number) =>
    sql`update order_tallies set day = (now() at time zone 'UTC')::date, day_leads = ${leads} where order_id = ${id}`.execute(
      db,
    )
  await receive(first, 160)
  await receive(other, 159)

  const second = await create(alice)
  expect((await rank())[0]).toBe(other)
  for (const id of [first, second]) await app.call('DELETE', `/api/v1/orders/${id}`, { token: alice.token })
  const third = await create(alice)
  expect(await rank()).toEqual([other, third])
  await receive(other, 161)
  expect(await rank()).toEqual([third, other])

  // On another day it starts from zero, like every order.
  await sql`update orders set ahead_day = ahead_day - 1 where id = ${third}`.execute(db)
  await receive(other, 1)
  expect(await rank()).toEqual([third, other])
})

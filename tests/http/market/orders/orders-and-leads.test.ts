import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { orderChecklistSchema } from '#core/contract/market/order.ts'
import { openOrders } from '../../support/open-orders.ts'
import { newLead } from '../../support/start-app.ts'

const orders = openOrders()
const { approve, call, create, db, fund } = orders

test('an estimate counts only the matching leads of the market in a week', async () => {
  const { key } = await orders.app.newSource({ auto_assign: false })
  const own = await orders.app.newSource({ owner: orders.client, auto_assign: false })
  const post = (token: string, fields: Record<string, unknown>) =>
    orders.app.call('POST', '/api/v1/leads', { token, body: newLead({ lead_type: 'estimated', ...fields }) })
  await sql`insert into lead_types (code, label, price, floor_price) values ('estimated', 'Estimated', 30, 10)`.execute(
    db(),
  )
  await post(key, { state: 'TX', age: 70, phone: '(202) 555-0101', email: 'a@example.com' })
  await post(key, { state: 'TX', age: 40, phone: '(202) 555-0102', email: 'b@example.com' })
  await post(key, { state: 'CA', phone: '(202) 555-0103', email: 'c@example.com' })
  await post(key, { state: 'TX', is_test: true, phone: '(202) 555-0104', email: 'd@example.com' })
  await post(own.key, { state: 'TX', phone: '(202) 555-0105', email: 'e@example.com' })
  await post(key, { state: 'FM', phone: '(202) 555-0106', email: 'f@example.com' })
  const estimate = async (wanted: Record<string, unknown>) =>
    (await call('POST', '/estimate', { lead_type: 'estimated', ...wanted })).json
  expect(await estimate({})).toEqual({
    leads: 3,
    more: false,
    days: 7,
    price: '30.00',
    highest_price: '30.00',
  })
  expect(await estimate({ states: ['TX'] })).toMatchObject({ leads: 2 })
  expect(await estimate({ age_min: 60 })).toMatchObject({ leads: 2 })
  expect(await estimate({ age_min: 60, accept_unknown_age: false })).toMatchObject({ leads: 1 })
  await sql`update client_accounts set licensed_states = '{CA}' where user_id = ${orders.client.id}`.execute(
    db(),
  )
  expect(await estimate({})).toMatchObject({ leads: 1 })
  await sql`insert into lead_prices (lead_type, state, price) values ('estimated', 'CA', 40)`.execute(db())
  expect(await estimate({})).toMatchObject({ price: '40.00', highest_price: '40.00' })
  await sql`update client_accounts set licensed_states = '{}' where user_id = ${orders.client.id}`.execute(
    db(),
  )
  expect(await estimate({})).toMatchObject({ price: '30.00', highest_price: '40.00' })
  expect((await call('POST', '/estimate', { lead_type: 'unknown' })).status).toBe(422)
})

test('after a change that lets an order accept more, the unsold leads of its type are offered again', async () => {
  await sql`
    insert into lead_types (code, label, price, floor_price) values ('offered', 'Offered', 30, 10)`.execute(
    db(),
  )
  const isOffered = async () => {
    const { rows } = await sql<{ now: boolean }>`
      select offer_again_at <= now() as now from lead_types where code = 'offered'`.execute(db())
    await sql`update lead_types set offer_again_at = now() + interval '1 hour' where code = 'offered'`.execute(
      db(),
    )
    return rows[0]?.now
  }
  await isOffered()
  const { id } = await create({ lead_type: 'offered', active: true })
  expect(await isOffered()).toBe(true)
  await call('PATCH', `/${id}`, { version: 1, daily_cap: 5 })
  expect(await isOffered()).toBe(false)
  await call('PATCH', `/${id}`, { version: 2, daily_cap: 6 })
  expect(await isOffered()).toBe(true)
  await call('POST', `/${id}/pause`)
  expect(await isOffered()).toBe(false)
  await call('POST', `/${id}/resume`)
  expect(await isOffered()).toBe(true)
})

test('lead types are shown with the client’s own price, and orders with the prices of their states', async () => {
  await sql`
    insert into lead_types (code, label, price, floor_price) values ('priced', 'A priced type', 30, 10)`.execute(
    db(),
  )
  await sql`
    insert into lead_prices (lead_type, state, client_user_id, price)
    values ('priced', null, ${orders.client.id}, 20), ('priced', 'TX', ${orders.client.id}, 5), ('priced', 'CA', null, 40)`.execute(
    db(),
  )
  const { json } = await orders.app.call('GET', '/api/v1/lead-types', { token: orders.client.token })
  expect(json.data[0]).toEqual({ code: 'priced', label: 'A priced type', price: '20.00' })
  expect(await create({ lead_type: 'priced', states: ['CA', 'TX'] })).toMatchObject({
    price: '10.00',
    highest_price: '20.00',
  })
  expect((await orders.app.call('GET', '/api/v1/orders', { token: orders.app.admin.token })).status).toBe(403)
})

test('the checklist explains line by line why no leads come, and where to correct it', async () => {
  const lines = async () => orderChecklistSchema.parse((await call('GET', '/checklist')).json).data
  expect((await lines()).map(({ code, ok, fix }) => [code, ok, fix])).toEqual([
    ['order_active', false, '/orders'],
    ['delivery_method', false, '/client-integrations'],
    ['last_delivery', true, '/client-integrations'],
  ])
  const { id } = await create()
  expect((await lines()).filter(({ ok }) => !ok).map(({ code }) => code)).toEqual([
    'account_active',
    'order_active',
    'funded',
    'delivery_method',
  ])
  await approve()
  await fund(100)
  await call('POST', `/${id}/resume`)
  await orders.app.call('POST', '/api/v1/webhook-configs', {
    token: orders.client.token,
    body: { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook' },
  })
  expect((await lines()).filter(({ ok }) => !ok)).toEqual([])
})

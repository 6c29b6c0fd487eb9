import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminOrderSchema } from '#core/contract/market/admin-order.ts'
import { orderSchema } from '#core/contract/market/order.ts'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'
import { readAudit } from '../read-audit.ts'

const PATH = '/api/v1/admin/orders'
const ORDERS = '/api/v1/orders'
let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
})
afterAll(() => app.close())

async function newOrder(fields: { paused_by?: string; owner?: Person } = {}): Promise<string> {
  const { owner = client, ...rest } = fields
  const values = {
    client_user_id: owner.id,
    name: 'West',
    lead_type: 'final_expense',
    timezone: 'America/Chicago',
  }
  const { id } = await app.context.db
    .insertInto('orders')
    .values({ ...values, ...rest })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
async function change(id: string, body: object) {
  const { status, json } = await app.call('PATCH', `${PATH}/${id}`, { token: app.admin.token, body })
  return { status, json, order: adminOrderSchema.safeParse(json).data }
}
async function list(query = '') {
  const { json } = await app.call('GET', PATH + query, { token: app.admin.token })
  return { rows: adminOrderSchema.array().parse(json.data), next: json.next_cursor }
}
async function readChanges(id: string) {
  const rows = await readAudit(app, 'order_changed_by_admin')
  return rows.filter(({ details }) => details['order_id'] === id)
}

test('an administrator changes price, priority and weight of an order, and the audit log has both values', async () => {
  const id = await newOrder()
  const { status, order } = await change(id, {
    version: 1,
    price: '31',
    priority: 1,
    weight: 100,
    note: 'Agreed on the phone',
  })

  expect(status).toBe(200)
  expect(order).toMatchObject({ price: '31.00', charged: '31.00', priority: 1, weight: 100, version: 2 })
  expect((await change(id, { version: 2, priority: 1 })).order?.version).toBe(2)
  expect((await change(id, { version: 2, price: null })).order).toMatchObject({
    price: null,
    charged: '25.00',
  })
  expect(await readChanges(id)).toMatchObject([
    { user_id: client.id, details: { before: { price: '31.00' }, after: { price: null }, note: null } },
    {
      details: {
        before: { price: null, priority: 50, weight: 1 },
        after: { price: '31.00', priority: 1, weight: 100 },
        note: 'Agreed on the phone',
      },
    },
  ])
})

test('administrators and clients see the same price of an order, even if states have prices of their own', async () => {
  await sql`
    insert into lead_types (code, label, price, floor_price) values ('auto', 'Auto', 25, 10)`.execute(
    app.context.db,
  )
  await sql`
    insert into lead_prices (lead_type, state, client_user_id, price)
    values ('auto', 'CA', null, 50), ('auto', 'TX', null, 45), ('auto', 'TX', ${client.id}, 48)`.execute(
    app.context.db,
  )
  for (const states of [['CA'], ['CA', 'TX'], ['CA', 'NY'], []]) {
    const body = { name: 'By state', lead_type: 'auto', timezone: 'UTC', states }
    const { json } = await app.call('POST', ORDERS, { token: client.token, body })
    const { price } = orderSchema.parse(json)
    const { rows } = await list(`?client=${client.id}&lead_type=auto`)
    expect([states, rows[0]?.charged]).toEqual([states, price])
  }
})

test('a change of an earlier version gets both values, and of two simultaneous changes one succeeds', async () => {
  const id = await newOrder()
  const answers = await Promise.all([2, 3, 4].map((priority) => change(id, { version: 1, priority })))

  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  const winner = answers.find(({ status }) => status === 200)?.order?.priority
  const late = await change(id, { version: 1, priority: 9, weight: 1 })
  expect(late.json).toMatchObject({
    code: 'version_conflict',
    current: { version: 2, priority: winner },
    yours: { priority: 9, weight: 1 },
    errors: [{ path: 'priority' }],
  })
  expect(await readChanges(id)).toHaveLength(1)
})

test('an administrator pauses an order with a reason and resumes it, but not the client’s own pause', async () => {
  const [id, own] = [await newOrder(), await newOrder({ paused_by: 'client' })]

  expect((await change(id, { version: 1, paused: true })).json.errors).toMatchObject([{ path: 'reason' }])
  expect((await change(id, { version: 1, paused: true, reason: 'Licence ended' })).order).toMatchObject({
    paused_by: 'admin',
    pause_reason: 'Licence ended',
  })
  expect((await change(id, { version: 2, paused: false })).order).toMatchObject({
    paused_by: null,
    pause_reason: null,
  })
  expect((await change(own, { version: 1, paused: false })).status).toBe(409)
  expect((await change(own, { version: 1, priority: 3 })).order).toMatchObject({
    paused_by: 'client',
    priority: 3,
  })
})

test.each([
  [{ price: '9.99' }, 'price'],
  [{ price: -25 }, 'price'],
  [{ price: 1e9 }, 'price'],
  [{ priority: 0 }, 'priority'],
  [{ priority: 100 }, 'priority'],
  [{ weight: 1.5 }, 'weight'],
  [{ weight: 101 }, 'weight'],
  [{ paused: true, reason: 'x'.repeat(201) }, 'reason'],
  [{ client_user_id: 'me' }, 'client_user_id'],
  [{ version: '1' }, 'version'],
])('%j is refused', async (body, path) => {
  const { status, json } = await change(await newOrder(), { version: 1, ...body })
  expect(status).toBe(422)
  expect(json.errors.map((error) => error.path)).toEqual([path])
})

test('orders are listed newest first in pages, filtered by client, type and pause', async () => {
  const owner = await app.newClient()
  const ids = [
    await newOrder({ owner }),
    await newOrder({ owner, paused_by: 'admin' }),
    await newOrder({ owner }),
  ].toReversed()
  const first = await list(`?client=${owner.id}&limit=2`)
  const second = await list(`?client=${owner.id}&limit=2&cursor=${first.next}`)

  expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(ids)
  expect(first.rows[0]).toMatchObject({
    client: { user_id: owner.id },
    lead_type_label: 'Final expense',
    leads: 0,
  })
  expect((await list(`?client=${owner.id}&paused=true`)).rows.map(({ id }) => id)).toEqual([ids[1]])
  expect((await list(`?client=${owner.id}&lead_type=none`)).rows).toEqual([])
})

test('only administrators change orders here, and a deleted order is not found', async () => {
  const [id, source] = [await newOrder(), await app.newSource()]
  for (const [method, path] of [
    ['GET', PATH],
    ['PATCH', `${PATH}/${id}`],
  ] as const) {
    expect((await app.call(method, path, { token: client.token })).status).toBe(403)
    expect((await app.call(method, path, { token: source.key })).status).toBe(401)
  }
  await app.context.db.updateTable('orders').set({ deleted_at: new Date() }).where('id', '=', id).execute()
  expect((await change(id, { version: 1, priority: 2 })).status).toBe(404)
})

test('a new order takes over the settings and the pause of the client’s last order of that type', async () => {
  const owner = await app.newClient()
  const { token } = owner
  const body = { name: 'Mine', lead_type: 'final_expense', timezone: 'America/Chicago', active: true }
  const create = async () => {
    const { status, json } = await app.call('POST', ORDERS, { token, body })
    expect(status).toBe(201)
    return orderSchema.parse(json)
  }
  const remove = (id: string) => app.call('DELETE', `${ORDERS}/${id}`, { token })
  const decided = { price: '31.00', priority: 60, weight: 7 }
  const pause = { paused_by: 'admin', pause_reason: 'Licence ended' }

  const first = await create()
  expect(first.paused_by).toBeNull()
  await change(first.id, { version: 1, ...decided })
  const second = await create()
  expect(second).toMatchObject({ price: '31.00', paused_by: null })
  await change(first.id, { version: 2, paused: true, reason: pause.pause_reason })
  const beside = await create()
  expect(beside).toMatchObject(pause)
  expect((await app.call('POST', `${ORDERS}/${beside.id}/resume`, { token })).status).toBe(409)
  for (const { id } of [beside, second, first]) await remove(id)

  const after = await create()
  expect(after).toMatchObject({ ...pause, price: '31.00' })
  expect((await list(`?client=${owner.id}`)).rows).toMatchObject([{ ...decided, ...pause }])
  expect((await change(after.id, { version: 1, paused: false })).status).toBe(200)
  expect((await create()).paused_by).toBeNull()
})

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readOwnOrdersLocked } from '#core/data/market/orders.ts'
import { LEAST, openOrders } from '../../support/open-orders.ts'

const orders = openOrders()
const { call, create, db } = orders

describe('a new order', () => {
  test('is refused above fifty, until one is deleted', async () => {
    await sql`
      insert into orders (client_user_id, name, lead_type, timezone)
      select ${orders.client.id}, 'Order ' || n, 'final_expense', 'UTC' from generate_series(1, 50) n`.execute(
      db(),
    )
    expect(await call('POST', '', LEAST)).toMatchObject({ status: 422, json: { code: 'too_many_orders' } })
    const first = (await call('GET', '?limit=30')).json
    const rest = (await call('GET', `?limit=30&cursor=${first.next_cursor}`)).json
    expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(50)
    await call('DELETE', `/${first.data[0]?.id}`)
    expect((await call('POST', '', LEAST)).status).toBe(201)
  })

  test('is refused after two hundred orders within two days, even if others were deleted', async () => {
    await sql`
      insert into orders (client_user_id, name, lead_type, timezone, created_at, deleted_at)
      select ${orders.client.id}, 'Order ' || n, 'final_expense', 'UTC', now() - case when n = 1 then interval '49 hours' else '1 hour' end, now()
      from generate_series(1, 200) n`.execute(db())
    expect((await call('POST', '', LEAST)).status).toBe(201)
    expect(await call('POST', '', LEAST)).toMatchObject({
      status: 422,
      json: {
        code: 'too_many_orders',
        detail:
          'An account may create 200 orders within 2 days, and yours has. Change an order that you have, or create this one tomorrow.',
      },
    })
    const other = await orders.app.newClient()
    expect((await call('POST', '', LEAST, other)).status).toBe(201)
  })

  test('is one of at most fifty, even if many are created at once', async () => {
    await sql`
      insert into orders (client_user_id, name, lead_type, timezone)
      select ${orders.client.id}, 'Order ' || n, 'final_expense', 'UTC' from generate_series(1, 47) n`.execute(
      db(),
    )
    const made = await Promise.all(Array.from({ length: 8 }, () => call('POST', '', LEAST)))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(made.filter(({ json }) => json.code === 'too_many_orders')).toHaveLength(5)
  })

  test('is created while the client’s other orders are locked, for example by a sale', async () => {
    const { id } = await create()
    const made = await db()
      .transaction()
      .execute(async (trx) => {
        await sql`select from orders where id = ${id} for no key update`.execute(trx)
        return await call('POST', '', LEAST)
      })
    expect(made.status).toBe(201)
  })

  test('starts with the counts of the client’s earlier order, however many were deleted', async () => {
    const { id } = await create()
    await sql`
      update order_tallies set day = (now() at time zone 'America/New_York')::date, day_leads = 7 where order_id = ${id}`.execute(
      db(),
    )
    await sql`
      insert into orders (client_user_id, name, lead_type, timezone, created_at, deleted_at)
      select ${orders.client.id}, 'Order ' || n, 'final_expense', 'UTC', now() - interval '3 days', now()
      from generate_series(1, 3000) n`.execute(db())
    const own = await db()
      .transaction()
      .execute((trx) => readOwnOrdersLocked(trx, orders.client.id, 'final_expense'))
    expect(own).toMatchObject([{ day_leads: 7 }])
    const { rows } = await sql`select ahead_leads from orders where id = ${(await create()).id}`.execute(db())
    expect(rows).toEqual([{ ahead_leads: 7 }])
  })
})

test.each<[Record<string, unknown>, string]>([
  [{ lead_type: 'solar' }, 'lead_type'],
  [{ states: ['ZZ'] }, 'states.0'],
  [{ daily_budget: '1e3' }, 'daily_budget'],
  [{ starts_at: '2026-12-02T00:00:00Z', ends_at: '2026-12-01T00:00:00Z' }, 'ends_at'],
  [
    {
      schedule: {
        mon: [
          ['09:00', '18:00'],
          ['17:00', '19:00'],
        ],
      },
    },
    'schedule.mon.1',
  ],
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ zip_codes: ['75'] }, 'zip_codes.0'],
  [{ near_zip: '75201' }, 'near_miles'],
  [{ near_zip: '00001', near_miles: 10 }, 'near_zip'],
  [{ near_zip: '75201', near_miles: 501 }, 'near_miles'],
  [{ max_lead_age_minutes: 0 }, 'max_lead_age_minutes'],
  [{ max_lead_age_minutes: '15 minutes' }, 'max_lead_age_minutes'],
  [{ name: 'a\0b' }, 'name'],
])('an order with %j is refused at its field', async (given, path) => {
  const { status, json } = await call('POST', '', { ...LEAST, ...given })
  expect([status, ...json.errors.map((error) => error.path)]).toEqual([422, path])
})

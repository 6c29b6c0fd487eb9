import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { orderChecklistSchema, orderEstimateSchema, orderSchema } from '#core/contract/market/order.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { givenOffers } from '#tests/support/given/market.ts'
import { LEAST, openOrders } from '../../support/open-orders.ts'

const orders = openOrders()
const { approve, call, create, db, fund } = orders
const state = async (id: string) => orderSchema.parse((await call('GET', `/${id}`)).json).state

describe('an order', () => {
  test('is created paused, resumed, paused, and deleted for good', async () => {
    await approve()
    await fund(100)
    const order = await create({ states: ['TX', 'CA'], schedule: { mon: [['22:00', '06:00']] } })
    expect(order).toMatchObject({
      ...LEAST,
      states: ['CA', 'TX'],
      schedule: { mon: [['22:00', '06:00']] },
      price: '25.00',
      lead_type_label: 'Final expense',
      state: { code: 'paused', sentence: 'Paused by you' },
      tallies: { today: { leads: 0, spent: '0.00' } },
      version: 1,
    })
    expect((await call('PATCH', `/${order.id}`, { version: 1, schedule: null })).status).toBe(200)
    expect((await call('POST', `/${order.id}/resume`)).json).toMatchObject({
      state: { code: 'active', sentence: 'Receiving leads' },
      version: 2,
    })
    expect((await call('POST', `/${order.id}/resume`)).status).toBe(200)
    expect((await call('POST', `/${order.id}/pause`)).json).toMatchObject({ paused_by: 'client' })
    expect((await call('GET', '?limit=1')).json).toMatchObject({
      data: [{ id: order.id }],
      next_cursor: null,
    })
    expect((await call('DELETE', `/${order.id}`)).status).toBe(204)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/resume'],
      ['PATCH', ''],
    ] as const)
      expect(
        (await call(method, `/${order.id}${path}`, method === 'PATCH' ? { version: 2 } : undefined)).status,
      ).toBe(404)
    expect((await call('GET', '')).json.data).toEqual([])
    const { rows } = await sql<{ deleted: boolean }>`
      select deleted_at is not null as deleted from orders where id = ${order.id}`.execute(db())
    expect(rows).toEqual([{ deleted: true }])
  })

  test('takes leads as long as they are held, or up to an age, and says so in the checklist', async () => {
    const lineOf = async () => {
      const { json } = await orders.app.call('GET', '/api/v1/orders/checklist', {
        token: orders.client.token,
      })
      return orderChecklistSchema.parse(json).data.find(({ code }) => code === 'lead_age')
    }
    const order = await create({ max_lead_age_minutes: 15 })
    expect(order).toMatchObject({ max_lead_age_minutes: 15 })
    expect(await lineOf()).toEqual({
      code: 'lead_age',
      ok: true,
      sentence: 'You take leads up to 15 minutes old; older ones that we hold go to others',
      fix: '/orders',
    })
    const changed = await call('PATCH', `/${order.id}`, { version: 1, max_lead_age_minutes: 1440 })
    expect(changed.json).toMatchObject({ max_lead_age_minutes: 1440 })
    const refused = await call('PATCH', `/${order.id}`, { version: 2, max_lead_age_minutes: -1 })
    expect([refused.status, refused.json.errors.map((error) => error.path)]).toEqual([
      422,
      ['max_lead_age_minutes'],
    ])
    const listed = await orders.app.call('GET', `/api/v1/admin/orders?client=${orders.client.id}`, {
      token: orders.app.admin.token,
    })
    expect(listed.json.data).toMatchObject([{ id: order.id, max_lead_age_minutes: 1440 }])
    await call('PATCH', `/${order.id}`, { version: 2, max_lead_age_minutes: null })
    expect((await call('GET', `/${order.id}`)).json).toMatchObject({ max_lead_age_minutes: null })
    expect(await lineOf()).toBeUndefined()
    await call('DELETE', `/${order.id}`)
  })

  test('may name ZIP codes and a circle, which the estimate counts by', async () => {
    const area = { zip_codes: ['77002', '752', '752'], near_zip: '75201', near_miles: 25 }
    const order = await create(area)
    expect(order).toMatchObject({ ...area, zip_codes: ['752', '77002'] })
    const changed = await call('PATCH', `/${order.id}`, { version: 1, near_zip: null, near_miles: null })
    expect(changed.json).toMatchObject({ zip_codes: ['752', '77002'], near_zip: null, near_miles: null })
    const half = await call('PATCH', `/${order.id}`, { version: 2, near_zip: '75201' })
    expect([half.status, half.json.errors.map((error) => error.path)]).toEqual([422, ['near_miles']])
    await call('DELETE', `/${order.id}`)
    await sql`
      insert into leads (lead_type, state, zip, status) values
        ('final_expense', 'TX', '76102', 'unassigned'), ('final_expense', 'TX', '77002-1234', 'unassigned'),
        ('final_expense', 'TX', null, 'unassigned')`.execute(db())
    const count = async (terms: object) =>
      orderEstimateSchema.parse(
        (await call('POST', '/estimate', { lead_type: 'final_expense', ...terms })).json,
      )
    const [all, listed, near, both] = await Promise.all(
      [
        {},
        { zip_codes: ['770'] },
        { near_zip: '75201', near_miles: 35 },
        { zip_codes: ['77002'], near_zip: '75201', near_miles: 35 },
      ].map(count),
    )
    expect([listed?.leads, near?.leads, both?.leads]).toEqual([1, 1, 2])
    expect(all?.leads).toBeGreaterThanOrEqual(3)
  })

  test('has the time zone of its account unless it names another', async () => {
    await sql`update client_accounts set timezone = 'America/Denver' where user_id = ${orders.client.id}`.execute(
      db(),
    )
    const { timezone: _named, ...unnamed } = LEAST
    const { status, json } = await call('POST', '', unnamed)
    expect([status, json]).toMatchObject([201, { timezone: 'America/Denver' }])
    expect(await create()).toMatchObject({ timezone: LEAST.timezone })
    for (const { id } of [json, ...(await call('GET', '')).json.data]) await call('DELETE', `/${id}`)
  })

  test('is created once for each idempotency key', async () => {
    const [first, again] = await Promise.all(
      [1, 2].map(() =>
        orders.app.call('POST', '/api/v1/orders', {
          token: orders.client.token,
          body: LEAST,
          headers: { 'Idempotency-Key': 'order-1' },
        }),
      ),
    )
    expect([first?.status, again?.json.id]).toEqual([201, first?.json.id])
  })

  test('of another client does not exist', async () => {
    const { id } = await create()
    const other = await orders.app.newClient()
    const ways = ['GET ', 'PATCH ', 'DELETE ', 'POST /pause', 'POST /resume']
    const tried = ways.map((way) => way.split(' ') as [string, string])
    for (const [method, path] of tried)
      expect(
        (await call(method, `/${id}${path}`, method === 'PATCH' ? { version: 1 } : undefined, other)).status,
      ).toBe(404)
    expect((await call('GET', '', undefined, other)).json.data).toEqual([])
    expect((await call('GET', `/${id}`)).json).toMatchObject({ name: LEAST.name, version: 1 })
  })

  test('that was changed in another tab is not overwritten, and both values are shown', async () => {
    const { id } = await create({ daily_cap: 10 })
    expect((await call('PATCH', `/${id}`, { version: 1, daily_cap: 20 })).json).toMatchObject({ version: 2 })
    const late = await call('PATCH', `/${id}`, {
      version: 1,
      daily_cap: 15,
      name: LEAST.name,
      weekly_cap: 50,
    })
    expect(late).toMatchObject({
      status: 409,
      json: {
        code: 'version_conflict',
        yours: { daily_cap: 15, weekly_cap: 50 },
        theirs: { daily_cap: 20, weekly_cap: null },
        current: { version: 2, daily_cap: 20 },
      },
    })
    expect((await call('GET', `/${id}`)).json).toMatchObject({ version: 2, daily_cap: 20, weekly_cap: null })
    const both = await Promise.all(
      [30, 40].map((daily_cap) => call('PATCH', `/${id}`, { version: 2, daily_cap })),
    )
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect((await call('GET', `/${id}`)).json).toMatchObject({ version: 3 })
  })

  test('keeps its type, and contradictions between its fields are refused', async () => {
    const { id } = await create({ age_min: 60 })
    const faults = async (change: Record<string, unknown>) => {
      const { status, json } = await call('PATCH', `/${id}`, { version: 1, ...change })
      return [status, ...(json.errors ?? []).map(({ path }) => path)]
    }
    expect(await faults({ age_max: 50 })).toEqual([422, 'age_max'])
    expect(await faults({ lead_type: 'medicare' })).toEqual([422, 'lead_type'])
    expect(await faults({ states: ['TX', 'ZZ'] })).toEqual([422, 'states.1'])
    await sql`update client_accounts set licensed_states = '{TX}' where user_id = ${orders.client.id}`.execute(
      db(),
    )
    expect(await faults({ states: ['CA', 'TX'] })).toEqual([422, 'states.0'])
    expect(await faults({ states: ['TX'], age_max: 80 })).toEqual([200])
  })

  test('accepts states and territories whose leads are sold, and keeps earlier ones', async () => {
    const TERRITORIES = ['AS', 'DC', 'GU', 'MP', 'PR', 'VI']
    const order = await create({ states: TERRITORIES })
    expect(order).toMatchObject({ states: TERRITORIES, version: 1 })
    for (const code of ['FM', 'MH', 'PW', 'AA', 'AE', 'AP']) {
      const { status, json } = await call('POST', '', { ...LEAST, states: [code] })
      expect([status, json.errors[0]?.path]).toEqual([422, 'states.0'])
      expect(json.errors[0]?.message).toMatch(/^Leads from [A-Z][\w ]+ \([A-Z]{2}\) are not sold$/)
    }
    await sql`update orders set states = '{FM}' where id = ${order.id}`.execute(db())
    await approve()
    await call('POST', `/${order.id}/resume`)
    await fund(100)
    expect(await state(order.id)).toMatchObject({
      code: 'account',
      sentence: 'Leads from the states that it names are not sold',
    })
    const { version } = orderSchema.parse((await call('GET', `/${order.id}`)).json)
    const kept = await call('PATCH', `/${order.id}`, { version, states: ['CA', 'FM'], daily_cap: 5 })
    expect(kept).toMatchObject({ status: 200, json: { states: ['CA', 'FM'], daily_cap: 5 } })
    const more = await call('PATCH', `/${order.id}`, { version: version + 1, states: ['CA', 'FM', 'PW'] })
    expect(more).toMatchObject({ status: 422, json: { errors: [{ path: 'states.2' }] } })
  })

  test('starts in a year of four digits, also in its own zone', async () => {
    const east = { timezone: 'Asia/Tokyo', active: true }
    await approve()
    const beyond = await call('POST', '', { ...LEAST, ...east, starts_at: '9999-12-31T23:59:59Z' })
    expect([beyond.status, beyond.json.errors?.[0]?.path]).toEqual([422, 'starts_at'])
    const { id } = await create({ ...east, starts_at: '9998-12-31T23:59:59Z' })
    expect(await state(id)).toMatchObject({ code: 'scheduled' })
    expect((await call('GET', '')).status).toBe(200)
  })

  test('counts today’s leads in another zone until the old day is over', async () => {
    await approve()
    await fund(500)
    // The dates in these zones are never the same.
    const [west, east] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati']
    const { id } = await create({ active: true, timezone: west, states: ['AK'], daily_cap: 1 })
    await sql`
      update order_tallies set day = (now() at time zone ${west})::date, day_leads = 1,
        week = date_trunc('week', now() at time zone ${west})::date, week_leads = 1 where order_id = ${id}`.execute(
      db(),
    )
    const before = await state(id)
    expect(before.code).toBe('capped')
    const moved = await call('PATCH', `/${id}`, { version: 1, timezone: east })
    expect(moved.json).toMatchObject({
      timezone: east,
      state: { code: 'capped', until: before.until },
      tallies: { today: { leads: 1 }, week: { leads: 1 } },
    })
    // Another change does not end it either.
    await call('PATCH', `/${id}`, { version: 2, timezone: 'UTC' })
    await call('PATCH', `/${id}`, { version: 3, timezone: east })
    expect(await state(id)).toMatchObject({ code: 'capped', until: before.until })
    const [lead = ''] = await givenOffers(db(), [{ state: 'AK' }])
    expect(await assignLeads(orders.app.context.market, [lead])).toEqual([])
    await sql`update orders set counts_in_until = now() - interval '1 minute' where id = ${id}`.execute(db())
    expect(await state(id)).toMatchObject({ code: 'active' })
    expect(await assignLeads(orders.app.context.market, [lead])).toMatchObject([{ order_id: id }])
    expect((await call('GET', `/${id}`)).json).toMatchObject({ tallies: { today: { leads: 1 } } })
  })

  test('explains what it waits for: its account, funds, or a cap below today’s leads', async () => {
    const { id } = await create({ active: true })
    expect((await state(id)).code).toBe('account')
    await approve()
    await fund(12)
    expect(await state(id)).toMatchObject({ sentence: 'Balance $12.00 is below the lead price $25.00' })
    await fund(500)
    await sql`
      update order_tallies set day = (now() at time zone 'America/New_York')::date, day_leads = 12
      where order_id = ${id}`.execute(db())
    expect((await state(id)).code).toBe('active')
    expect((await call('PATCH', `/${id}`, { version: 1, daily_cap: 10 })).json).toMatchObject({
      state: { code: 'capped', sentence: 'Daily cap reached (12 of 10). Resumes 12:00 AM ET' },
      tallies: { today: { leads: 12 } },
    })
  })
})

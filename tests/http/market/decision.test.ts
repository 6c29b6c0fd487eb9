import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ LEAD_DUPLICATE_DAYS: '45', LEAD_RESALE_DAYS: '120' })
})
afterAll(() => app.close())

const ask = async (token: string, id: string) =>
  await app.call('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', {
    token,
    body: { lead_id_param: id, lead_state_param: 'NY' },
  })

test('an administrator requests the decision about a lead and reads its reasons, and no other user can', async () => {
  const { db } = app.context
  const { admin } = app
  const [first, second] = [await givenBuyer(db, '40.00'), await givenBuyer(db)]
  const order = await givenOrder(db, first, { priority: 1, name: 'All of it' })
  const other = await givenOrder(db, second, { name: 'The rest', daily_cap: 1 })
  const [lead = '', next = '', last = ''] = await givenOffers(db, [{}, {}, {}])
  const stranger = await app.newClient()
  expect((await ask(stranger.token, lead)).json).toMatchObject({ success: false, outcome: 'not_found' })

  expect((await ask(admin.token, lead)).json).toMatchObject({
    success: true,
    outcome: 'assigned',
    reason: 'parameter_mismatch',
    buyer_id: first,
    order_id: order,
    price: 25,
    balance_after: 15,
  })
  expect((await ask(admin.token, lead)).json).toMatchObject({ outcome: 'already_assigned', buyer_id: first })
  expect((await ask(admin.token, next)).json).toMatchObject({ outcome: 'assigned', buyer_id: second })
  expect((await ask(admin.token, last)).json).toMatchObject({ success: false, outcome: 'no_buyer' })

  const path = (id: string): string => `/api/v1/admin/leads/${id}/decision`
  const { status, json } = await app.call('GET', path(next), { token: admin.token })
  expect(status).toBe(200)
  expect(json).toMatchObject({
    outcome: 'assigned',
    order_id: other,
    order_name: 'The rest',
    client_user_id: second,
    price: '25.00',
    refused: { funds: 1 },
    refusals: [{ order_id: order, order_name: 'All of it', client_user_id: first, reason: 'funds' }],
  })
  expect((await app.call('GET', path(last), { token: admin.token })).json).toMatchObject({
    outcome: 'no_buyer',
    order_id: null,
    held_until: expect.stringContaining('20') as unknown,
  })
  expect((await app.call('GET', path(randomUUID()), { token: admin.token })).status).toBe(404)
  expect((await app.call('GET', path(next), { token: stranger.token })).status).toBe(403)
})

test('a lead of a person who was sold before or is suppressed is refused with that reason', async () => {
  const { db } = app.context
  const { admin } = app
  await givenOrder(db, await givenBuyer(db), { lead_type: 'final_expense', states: ['TX'] })
  const phone = '+12025550177'
  const [lead = '', again = ''] = await givenOffers(db, [
    { state: 'TX', phone },
    { state: 'TX', phone },
  ])
  expect((await ask(admin.token, lead)).json).toMatchObject({ outcome: 'assigned' })
  for (const outcome of ['duplicate', 'duplicate'])
    expect((await ask(admin.token, again)).json).toMatchObject({ success: false, outcome })
  const why = await app.call('GET', `/api/v1/admin/leads/${again}/decision`, { token: admin.token })
  expect(why.json).toMatchObject({
    reason: 'duplicate',
    duplicate_of: lead,
    windows: { duplicate_days: 45, resale_days: 120 },
  })
})

test('a lead without consent is sold to nobody, and a missing statement counts as consent', async () => {
  const { db } = app.context
  const { admin } = app
  const buyer = await givenBuyer(db)
  await givenOrder(db, buyer, { states: ['UT'] })
  const [refused = '', silent = ''] = await givenOffers(db, [
    { state: 'UT', consent_given: false },
    { state: 'UT' },
  ])
  expect((await ask(admin.token, refused)).json).toMatchObject({
    success: false,
    outcome: 'not_assignable',
    reason: 'no_consent',
  })
  const decision = await app.call('GET', `/api/v1/admin/leads/${refused}/decision`, { token: admin.token })
  expect(decision.json).toMatchObject({ outcome: 'rejected', reason: 'no_consent', client_user_id: null })
  expect((await ask(admin.token, silent)).json).toMatchObject({ outcome: 'assigned', buyer_id: buyer })
})

test('a lead that is older than an order accepts says so, also when it is assigned by the procedure', async () => {
  const { db } = app.context
  const { admin } = app
  const [lead = ''] = await givenOffers(db, [{ state: 'NY' }])
  await db.updateTable('orders').set({ deleted_at: new Date() }).execute()
  expect((await ask(admin.token, lead)).json).toMatchObject({ outcome: 'no_buyer' })
  await givenOrder(db, await givenBuyer(db), { max_lead_age_minutes: 15, name: 'Only fresh' })
  const created_at = new Date(Date.now() - 16 * 60_000)
  await db.updateTable('leads').set({ created_at }).where('id', '=', lead).execute()
  expect((await ask(admin.token, lead)).json).toMatchObject({ outcome: 'no_buyer', reason: 'too_old' })
  const why = await app.call('GET', `/api/v1/admin/leads/${lead}/decision`, { token: admin.token })
  expect(why.json).toMatchObject({
    reason: 'too_old',
    refused: { too_old: 1 },
    refusals: [{ order_name: 'Only fresh', reason: 'too_old' }],
  })
})

test('an order with a ZIP area is refused a lead elsewhere or without a ZIP code, and the decision says so', async () => {
  const { db } = app.context
  const { admin } = app
  await db.updateTable('orders').set({ deleted_at: new Date() }).execute()
  const client = await givenBuyer(db)
  const order = await givenOrder(db, client, { zip_codes: ['770'], near_zip: '75201', near_miles: 35 })
  const [houston = '', fort = '', austin = '', nowhere = ''] = await givenOffers(
    db,
    Array.from({ length: 4 }, () => ({ state: 'TX' })),
  )
  const places = [
    [houston, '77002'],
    [fort, '76102-1234'],
    [austin, '78701'],
  ] as const
  for (const [lead, zip] of places)
    await db.updateTable('leads').set({ zip }).where('id', '=', lead).execute()
  const refused = { outcome: 'no_buyer', reason: 'outside_area' }
  expect((await ask(admin.token, austin)).json).toMatchObject(refused)
  expect((await ask(admin.token, nowhere)).json).toMatchObject(refused)
  for (const lead of [houston, fort])
    expect((await ask(admin.token, lead)).json).toMatchObject({ outcome: 'assigned' })
  const why = await app.call('GET', `/api/v1/admin/leads/${austin}/decision`, { token: admin.token })
  expect(why.json).toMatchObject({ refused: { outside_area: 1 }, refusals: [{ reason: 'outside_area' }] })

  // A wider circle offers what is unsold again.
  const offered = () =>
    db
      .selectFrom('lead_types')
      .select('offer_again_at')
      .where('code', '=', 'final_expense')
      .executeTakeFirst()
  const before = await offered()
  await db.updateTable('orders').set({ near_miles: 250 }).where('id', '=', order).execute()
  expect(await offered()).not.toEqual(before)
  expect((await ask(admin.token, austin)).json).toMatchObject({ outcome: 'assigned' })
})

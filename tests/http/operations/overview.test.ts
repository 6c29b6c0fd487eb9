import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needsSchema, type NeedKind } from '#core/contract/operations/needs.ts'
import { overviewSchema } from '#core/contract/operations/overview.ts'
import { keepHour, listHoursToCount } from '#core/data/operations/overview/kept-hours.ts'
import { givenOffers, givenOrder, topUp } from '#tests/support/given/market.ts'
import { givePricedLead } from '../market/give-priced-lead.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
beforeAll(async () => {
  // Nothing listens on port 1: the page answers without Redis.
  app = await startApp({ REDIS_URL: 'redis://127.0.0.1:1' })
  client = await app.newClient()
  await sql`update client_accounts set business_name = 'Sunrise Agency', status = 'active' where user_id = ${client.id}`.execute(
    app.context.db,
  )
})
afterAll(() => app.close())

async function readOverview() {
  const { status, json, text } = await app.call('GET', '/api/v1/admin/overview', { token: app.admin.token })
  expect(status, text).toBe(200)
  return overviewSchema.parse(json)
}

async function readNeed(kind: NeedKind) {
  const { status, json, text } = await app.call('GET', '/api/v1/admin/needs', { token: app.admin.token })
  expect(status, text).toBe(200)
  return needsSchema.parse(json).data.find((need) => need.kind === kind)
}

test('the overview is for administrators alone', async () => {
  for (const path of ['overview', 'needs']) {
    expect((await app.call('GET', `/api/v1/admin/${path}`, { token: client.token })).status).toBe(403)
    expect((await app.call('GET', `/api/v1/admin/${path}`)).status).toBe(401)
  }
})

test('an empty market has figures of zero, and says that Redis is away', async () => {
  const { today, yesterday, hours, fill, sources, health } = await readOverview()
  const zero = { leads_in: 0, sold: 0, unsold: 0, returned: 0, revenue: '0.00', margin: '0.00' }
  expect([today, yesterday]).toEqual([zero, zero])
  expect(hours.map(({ at: _at, ...figures }) => figures)).toEqual(Array.from({ length: 24 }, () => zero))
  expect([fill, sources]).toEqual([[], []])
  expect(health).toMatchObject({ workers: null, redis: false, oldest_due_at: null })
  expect([health.hour.points.length, health.day.points.length]).toEqual([12, 24])
  expect(health.day.first_attempt_rate).toBeNull()
})

test('a proxy that TRUST_PROXY does not name is shown, with its address', async () => {
  expect((await readOverview()).health.unknown_proxies).toEqual([])
  await app.call('GET', '/healthz', { headers: { 'X-Forwarded-For': '198.51.100.9' } })
  expect((await readOverview()).health.unknown_proxies).toEqual(['127.0.0.1'])
})

test('a sale counts as revenue for its source, and a past hour stays as it was counted', async () => {
  const { db } = app.context
  const source = await app.newSource()
  const order = await givenOrder(db, client.id, { name: 'Texas seniors', daily_cap: 10 })
  const [sold = ''] = await givenOffers(db, [{ source_id: source.id }, { source_id: source.id }])
  await sql`
    update leads set status = 'assigned', assigned_to = ${client.id}, price_charged = 25, cost = 9.5 where id = ${sold}`.execute(
    db,
  )
  await sql`
    insert into lead_assignments (lead_id, client_user_id, order_id, price) values (${sold}, ${client.id}, ${order}, 25)`.execute(
    db,
  )
  await sql`update order_tallies set day = now()::date, day_leads = 4 where order_id = ${order}`.execute(db)
  for (const hour of await listHoursToCount(db)) await keepHour(db, hour)
  expect(await listHoursToCount(db)).toEqual([])

  const { today, sources, fill } = await readOverview()
  expect(today).toEqual({ leads_in: 2, sold: 1, unsold: 1, returned: 0, revenue: '25.00', margin: '15.50' })
  expect(sources).toMatchObject([
    {
      source_id: source.id,
      leads_in: 2,
      cost: '9.50',
      revenue: '25.00',
      margin: '15.50',
      sold_share: 0.5,
      return_rate: 0,
    },
  ])
  expect(fill).toMatchObject([
    {
      order_id: order,
      order_name: 'Texas seniors',
      client_name: 'Sunrise Agency',
      caps: [{ per: 'day', leads: 4, cap: 10, fill_rate: 0.4 }],
    },
  ])
})

test('a kind of which nothing waits is not named, so that pages of the version before can read the answer', async () => {
  const { json } = await app.call('GET', '/api/v1/admin/needs', { token: app.admin.token })
  expect(needsSchema.parse(json).data.filter(({ count }) => count === 0)).toEqual([])
})

test('each kind of work that waits is counted and listed, and leaves when it is done', async () => {
  const { db } = app.context
  expect(await readNeed('funds')).toMatchObject({
    count: 1,
    items: [{ id: client.id, name: 'Sunrise Agency', amount: '0.00' }],
  })
  await topUp(db, client.id, '500.00')
  expect(await readNeed('funds')).toBeUndefined()

  const newcomer = await app.newClient()
  await sql`update client_accounts set status = 'onboarding', business_name = 'Newcomer Insurance' where user_id = ${newcomer.id}`.execute(
    db,
  )
  expect((await readNeed('approval'))?.items.map(({ name }) => name)).toContain('Newcomer Insurance')
  await app.call('POST', `/api/v1/admin/clients/${newcomer.id}/approve`, { token: app.admin.token, body: {} })
  expect(await readNeed('approval')).toBeUndefined()

  const payment = await app.call('POST', '/api/v1/payments', {
    token: client.token,
    body: { amount: '250.00' },
  })
  expect(await readNeed('payment')).toMatchObject({
    count: 1,
    items: [{ id: payment.json.id, name: 'Sunrise Agency', amount: '250.00' }],
  })
  await app.call('POST', `/api/v1/admin/payments/${payment.json.id}/receive`, {
    token: app.admin.token,
    body: {},
  })
  expect(await readNeed('payment')).toBeUndefined()

  const lead = await givePricedLead(app, client)
  await app.call('POST', `/api/v1/leads/${lead}/return`, {
    token: client.token,
    body: { reason: 'wrong_state' },
  })
  expect(await readNeed('return')).toMatchObject({
    count: 1,
    items: [{ detail: 'wrong_state', amount: '25.00' }],
  })

  await sql`update leads set status = 'unassigned' where assigned_to is null`.execute(db)
  expect(await readNeed('unsold')).toMatchObject({
    count: 1,
    more: false,
    items: [{ id: 'not_decided', leads: 1 }],
  })

  const message = {
    name: 'Kim Sample',
    email: 'kim@example.com',
    topic: 'support',
    message: 'Where are my leads?',
    reference: 'LW-7K3M9Q',
  }
  await db.insertInto('contact_messages').values(message).execute()
  const messages = await readNeed('message')
  expect(messages).toMatchObject({ count: 1, items: [{ name: 'LW-7K3M9Q', detail: 'support' }] })
  expect(JSON.stringify(messages), 'neither name nor address').not.toMatch(/Kim|kim@/)
  expect(await readNeed('difference')).toBeUndefined()
})

test('a failing endpoint needs an administrator until it works', async () => {
  const { db } = app.context
  const body = { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook' }
  const { json } = await app.call('POST', '/api/v1/webhook-configs', { token: client.token, body })
  await sql`
    insert into webhook_endpoint_health (webhook_config_id, breaker, failing_since, failures_in_row, last_attempt_at, probe_at)
    values (${json.id}, 'open', now() - interval '1 hour', 12, now(), now() + interval '1 hour')`.execute(db)
  expect(await readNeed('endpoint')).toMatchObject({
    count: 1,
    items: [{ id: json.id, name: 'Sunrise Agency', detail: 'CRM', leads: 0 }],
  })
  await sql`update webhook_endpoint_health set breaker = 'closed', failures_in_row = 0, failing_since = null`.execute(
    db,
  )
  expect(await readNeed('endpoint')).toBeUndefined()
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboardSchema, type Dashboard } from '#core/contract/market/dashboard.ts'
import { newLead, startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
let other: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  other = await app.newClient()
})
afterAll(() => app.close())

async function read(who: Person): Promise<Dashboard> {
  const { status, json } = await app.call('GET', '/api/v1/dashboard', { token: who.token })
  expect(status).toBe(200)
  return dashboardSchema.parse(json)
}

/** Inserts leads of this client's own source that came in `daysAgo` days before the middle of its day. */
async function receive(owner: Person, count: number, daysAgo: number, isTest = false): Promise<void> {
  const { key } = await app.newSource({ owner })
  for (let index = 0; index < count; index += 1) {
    const lead = newLead({ phone: null, email: `day${daysAgo}.${index}@example.com`, is_test: isTest })
    const { json } = await app.call('POST', '/api/v1/leads', { token: key, body: lead })
    await sql`update leads set created_at = now() - make_interval(days => ${daysAgo}::int) where id = ${json.lead_id}`.execute(
      app.context.db,
    )
  }
}

/** Returns a zone where it is about noon now, so that no midnight comes between two requests. */
function zoneAtNoon(): string {
  const hours = 12 - new Date().getUTCHours()
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

test('a dashboard counts the leads of each day in the account’s zone, without tests and other clients’ leads', async () => {
  const zone = zoneAtNoon()
  await sql`update client_accounts set timezone = ${zone}`.execute(app.context.db)
  await receive(client, 3, 0)
  await receive(client, 1, 0, true)
  await receive(client, 2, 6)
  await receive(client, 4, 7)
  await receive(client, 1, 14)
  await receive(other, 5, 0)

  const { timezone, leads } = await read(client)
  expect(timezone).toBe(zone)
  expect({ ...leads, days: leads.days.map((day) => day.leads), hours: leads.hours?.at(-1)?.leads }).toEqual({
    today: 3,
    last_7_days: 5,
    previous_7_days: 4,
    days: [2, 0, 0, 0, 0, 0, 3],
    hours: 3,
  })
  expect((await read(other)).leads).toMatchObject({ today: 5, last_7_days: 5, previous_7_days: 0 })
  expect((await read(app.admin)).leads.last_7_days).toBe(0)

  for (const [day, expected] of [
    [-1, 3],
    [0, 5],
  ] as const) {
    const from = leads.days.at(day)?.begins_at ?? ''
    const query = new URLSearchParams({ from, is_test: 'false' })
    const { json } = await app.call('GET', `/api/v1/leads?${query.toString()}`, { token: client.token })
    expect(json.data, 'the list behind the number').toHaveLength(expected)
  }
})

test('a dashboard counts the leads of the last 24 hours by the hours of the account’s zone', async () => {
  // Its hours begin at a quarter past those of UTC.
  await sql`update client_accounts set timezone = 'Asia/Kathmandu' where user_id = ${other.id}`.execute(
    app.context.db,
  )
  const { hours = [] } = (await read(other)).leads
  const begins = hours.map(({ begins_at: at }) => Date.parse(at))
  expect(new Set(begins.map((at) => at % 3_600_000))).toEqual(new Set([900_000]))
  expect(new Set(begins.slice(1).map((at, index) => at - (begins[index] ?? 0)))).toEqual(new Set([3_600_000]))
  const [first, last] = [begins[0] ?? 0, begins.at(-1) ?? 0]
  expect(Date.now() - last).toBeLessThan(3_600_000)

  const key = (await app.newSource({ owner: other })).key
  const counts = new Map<number, number>()
  for (const [index, at] of [first - 1, first, first + 3_599_999, first + 3_600_000].entries()) {
    const lead = newLead({ phone: null, email: `hour${index}@example.com` })
    const { json } = await app.call('POST', '/api/v1/leads', { token: key, body: lead })
    await sql`update leads set created_at = ${new Date(at)} where id = ${json.lead_id}`.execute(
      app.context.db,
    )
    const hour = Math.floor((at - first) / 3_600_000)
    counts.set(hour, (counts.get(hour) ?? 0) + 1)
  }
  const counted = (await read(other)).leads.hours?.map(({ leads }) => leads)
  expect(counted?.slice(0, 2)).toEqual([counts.get(0), counts.get(1)])
})

test('a new client’s steps are done one after another, and other clients’ do not count', async () => {
  const fresh = await app.newClient()
  const undone = {
    business: false,
    webhook: false,
    delivered: false,
    order: false,
    funds: false,
    funds_asked: false,
    first_lead: false,
    approved: false,
    waits_since: expect.any(String) as string,
    usual_wait_minutes: null,
    skipped: [],
  }
  expect((await read(fresh)).setup).toEqual(undone)

  const { json: config } = await app.call('POST', '/api/v1/webhook-configs', {
    token: fresh.token,
    body: { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/leads' },
  })
  expect((await read(fresh)).setup).toEqual({ ...undone, webhook: true })
  const { db } = app.context
  await sql`
    insert into webhook_endpoint_health (webhook_config_id, last_success_at) values (${config.id}, now())`.execute(
    db,
  )
  await sql`insert into orders (client_user_id, name, lead_type, timezone) values (${fresh.id}, 'Mine', 'final_expense', 'UTC')`.execute(
    db,
  )
  await sql`insert into balance_ledger (client_user_id, entry_type, amount) values (${fresh.id}, 'top_up', 100)`.execute(
    db,
  )
  expect((await read(fresh)).setup).toEqual({
    ...undone,
    webhook: true,
    delivered: true,
    order: true,
    funds: true,
  })
  await app.call('POST', `/api/v1/admin/clients/${fresh.id}/approve`, { token: app.admin.token, body: {} })
  expect((await read(fresh)).setup).toMatchObject({ approved: true, waits_since: null })
  await receive(fresh, 1, 0, true)
  expect((await read(fresh)).setup.first_lead).toBe(false)
  await receive(fresh, 1, 0)
  expect((await read(fresh)).setup.first_lead).toBe(true)
  expect((await read(await app.newClient())).setup).toEqual(undone)
})

test('only signed-in users see a dashboard', async () => {
  expect((await app.call('GET', '/api/v1/dashboard')).status).toBe(401)
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { analyticsSchema, type Analytics } from '#core/contract/market/analytics.ts'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { signOutcome } from '#core/secrets/outcome-token.ts'
import { givenOrder } from '#tests/support/given/market.ts'
import { giveLead } from '../leads/give-lead.ts'
import { startForTwo } from '../leads/start-for-two.ts'
import type { Person } from '../support/start-app.ts'
import { givePricedLead } from './give-priced-lead.ts'

const { app, client, other, get } = await startForTwo()
const { db } = app.context
// Ten hours behind UTC, without daylight saving.
const ZONE = 'Pacific/Honolulu'
await sql`update client_accounts set timezone = ${ZONE} where user_id = ${client.id}`.execute(db)

interface Given {
  at: string
  price?: number
  disposition?: string
  state?: string | null
  source?: string
  order?: string | null
  test?: boolean
  returned?: boolean
}

async function give({
  at,
  price = 25,
  disposition = 'new',
  order = null,
  returned = false,
  ...fields
}: Given) {
  const { state = 'TX', source = 'form', test: isTest = false } = fields
  const id = await giveLead(app, client, { phone: null, email: `${Math.random()}@example.com` })
  await sql`
    update leads set created_at = ${at}, price_charged = ${price}, state = ${state}, source = ${source}, order_id = ${order},
      is_test = ${isTest} where id = ${id}`.execute(db)
  await sql`update lead_assignments set disposition = ${disposition}, state = ${returned ? 'returned' : 'active'} where lead_id = ${id}`.execute(
    db,
  )
  if (returned)
    await sql`
      insert into lead_returns (assignment_id, lead_id, client_user_id, reason, status, decided_at)
      select id, lead_id, client_user_id, 'wrong_state', 'approved', now() from lead_assignments where lead_id = ${id}`.execute(
      db,
    )
  return id
}

const order = await givenOrder(db, client.id, { name: '=Texas' })
// In Honolulu it is 9 March until 10:00 UTC on 10 March.
const ids = [
  await give({ at: '2026-03-10T09:59:00Z', disposition: 'sold', order }),
  await give({ at: '2026-03-10T10:00:00Z', disposition: 'not_interested', price: 30.5 }),
  await give({ at: '2026-03-10T23:30:00Z', disposition: 'attempted', state: 'CA', source: '=1+1' }),
  await give({ at: '2026-03-11T09:00:00Z', returned: true, state: null }),
]
await give({ at: '2026-03-10T12:00:00Z', test: true, disposition: 'sold' })
await give({ at: '2026-03-12T10:00:00Z', price: 999 })

async function read(query: string, who: Person = client): Promise<Analytics> {
  const { status, json, text } = await get(`/api/v1/analytics?${query}`, who)
  expect(status, text).toBe(200)
  return analyticsSchema.parse(json)
}

const SPAN = 'from=2026-03-09&to=2026-03-11'

test('figures count the leads of days in the account’s zone, without tests', async () => {
  const { timezone, totals, days, states, dispositions, hours, choices, begins_at, ends_at } =
    await read(SPAN)
  expect([timezone, begins_at, ends_at]).toEqual([
    ZONE,
    '2026-03-09T10:00:00.000Z',
    '2026-03-12T10:00:00.000Z',
  ])
  expect(totals).toEqual({
    leads: 4,
    spend: '105.50',
    returned: 1,
    refunded: '25.00',
    contacted: 2,
    sold: 1,
    revenue: '0.00',
    average_price: '26.38',
    return_rate: 0.25,
    contact_rate: 0.5,
    sold_rate: 0.25,
    cost_per_sale: '80.50',
    return_on_spend: null,
    attempted: 0,
    delivered: 0,
    delivery_rate: null,
  })
  expect(days.map((day) => [day.date, day.leads, day.spend])).toEqual([
    ['2026-03-09', 1, '25.00'],
    ['2026-03-10', 3, '80.50'],
    ['2026-03-11', 0, '0.00'],
  ])
  expect(states.map((one) => [one.state, one.leads])).toEqual([
    ['TX', 2],
    ['CA', 1],
    [null, 1],
  ])
  expect(dispositions.toSorted((a, b) => a.disposition.localeCompare(b.disposition))).toEqual([
    { disposition: 'attempted', leads: 1 },
    { disposition: 'not_interested', leads: 1 },
    { disposition: 'sold', leads: 1 },
  ])
  expect(hours.flatMap(({ hour, leads }) => (leads === 0 ? [] : [[hour, leads]]))).toEqual([
    [0, 1],
    [13, 1],
    [23, 2],
  ])
  expect(choices).toEqual({
    orders: [{ id: order, name: '=Texas' }],
    states: ['CA', 'TX'],
    lead_types: ['final_expense'],
    sources: ['=1+1', 'form'],
  })
  const span = new URLSearchParams({ from: begins_at, to: ends_at, is_test: 'false' })
  const list = await get(`/api/v1/leads?${span.toString()}`)
  expect(list.json.data.map(({ id }) => id).toSorted(), 'the list behind them').toEqual(ids.toSorted())
})

test('a period comes with the figures of as many days before it, by the same filters', async () => {
  const { before, totals } = await read('from=2026-03-11&to=2026-03-12')
  expect([before?.from, before?.to, totals.leads, totals.spend]).toEqual([
    '2026-03-09',
    '2026-03-10',
    1,
    '999.00',
  ])
  expect(before?.totals).toMatchObject({
    leads: 4,
    spend: '105.50',
    returned: 1,
    sold: 1,
    cost_per_sale: '80.50',
  })
  const narrowed = await read('from=2026-03-11&to=2026-03-12&state=CA')
  expect([narrowed.totals.leads, narrowed.before?.totals.leads]).toEqual([0, 1])
})

test('a period is filtered by order, state, type and source, and the filter choices stay', async () => {
  const narrowed = await read(`${SPAN}&state=tx&source=form&lead_type=final_expense&order=${order}`)
  expect(narrowed.totals).toMatchObject({ leads: 1, spend: '25.00', sold: 1, cost_per_sale: '25.00' })
  expect(narrowed.choices.sources).toEqual(['=1+1', 'form'])
  const none = await read(`${SPAN}&state=NY`)
  expect(none.totals).toMatchObject({ leads: 0, average_price: null, sold_rate: null, cost_per_sale: null })
  expect([none.states, none.dispositions]).toEqual([[], []])
})

test('leads that came late because of us cost less, and a later return counts their price once', async () => {
  const credit = async (lead: string) => {
    await sql`
      insert into late_leads (assignment_id, lead_id, client_user_id, lead_type, received_at, sold_at, planned_at, begun_at, parts, ours_ms,
        price, credit, credited_at)
      select a.id, lead_id, client_user_id, 'final_expense', now(), now(), now(), now(), '[]', 6000, 25, 'credited', now()
      from lead_assignments a where lead_id = ${lead}`.execute(db)
  }
  const [held, returned] = [
    await give({ at: '2026-06-01T12:00:00Z', disposition: 'sold' }),
    await give({ at: '2026-06-01T12:00:00Z', returned: true }),
  ]
  const query = 'from=2026-06-01&to=2026-06-01'
  expect((await read(query)).totals).toMatchObject({ refunded: '25.00', cost_per_sale: '25.00' })
  await credit(held)
  await credit(returned)
  const { totals, states, sources, lead_types: types } = await read(query)
  expect(totals).toMatchObject({ spend: '50.00', returned: 1, refunded: '50.00', cost_per_sale: '0.00' })
  for (const [row] of [states, sources, types]) expect(row).toMatchObject({ leads: 2, refunded: '50.00' })
  const { json } = await get(`/api/v1/analytics/agents?${query}`)
  expect(json.data).toMatchObject([{ spend: '50.00', refunded: '50.00' }])
})

test('revenue is the last amount that a CRM reported as sold, once, while the lead is sold and held', async () => {
  const own = await app.newClient()
  const hook = { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook' }
  const call = async (path: string, body: object, { token } = own) =>
    (await app.call('POST', path, { token, body })).json
  const hooks = [await call('/api/v1/webhook-configs', hook), await call('/api/v1/webhook-configs', hook)]
  const [sold, returned] = [await givePricedLead(app, own), await givePricedLead(app, own)]
  const expires_at = new Date(Date.now() + 3_600_000)
  const tell = async (lead_id: string, body: object, { id } = hooks[0] ?? { id: '' }) => {
    const of = { lead_id, client_user_id: own.id, webhook_config_id: id, expires_at }
    const token = signOutcome(app.context.leads.outcomeKeys, of)
    expect((await app.call('POST', `/api/v1/outcomes?token=${token}`, { body })).status).toBe(200)
    return (await read('days=7', own)).totals.revenue
  }
  expect(await tell(sold, { status: 'quoted', amount: 900 })).toBe('0.00')
  for (const one of [...hooks, ...hooks])
    expect(await tell(sold, { status: 'sold', amount: 1200 }, one)).toBe('1200.00')
  expect(await tell(sold, { status: 'sold', amount: 1250.5 })).toBe('1250.50')
  expect(await tell(sold, { status: 'sold', note: 'Paid' })).toBe('1250.50')
  expect(await tell(returned, { status: 'sold', amount: 500 })).toBe('1750.50')
  const { totals, states, lead_types: types, sources, days } = await read('days=7', own)
  expect(totals).toMatchObject({ sold: 2, revenue: '1750.50', return_on_spend: 1750.5 / 50 })
  for (const rows of [states, types, sources, days])
    expect(rows.filter((row) => row.revenue !== '0.00')).toMatchObject([
      { revenue: '1750.50', return_on_spend: 1750.5 / 50 },
    ])
  const { data } = (await get('/api/v1/analytics/agents', own)).json
  expect(data).toMatchObject([{ revenue: '1750.50', return_on_spend: 1750.5 / 50 }])

  const asked = await call(`/api/v1/leads/${returned}/return`, { reason: 'disconnected_number' })
  await call(`/api/v1/admin/returns/${asked.id}/approve`, {}, app.admin)
  expect(await tell(sold, { status: 'not_interested' })).toBe('0.00')
  expect(await tell(sold, { status: 'sold', amount: 0 })).toBe('0.00')
  expect(await tell(sold, { status: 'sold', amount: 80 })).toBe('80.00')
  await db.transaction().execute((trx) => eraseLead(trx, sold))
  expect((await read('days=7', own)).totals).toMatchObject({ sold: 1, revenue: '80.00' })
})

test('another client’s leads and orders are not counted', async () => {
  await sql`update client_accounts set timezone = ${ZONE} where user_id = ${other.id}`.execute(db)
  const theirs = await read(`${SPAN}&order=${order}`, other)
  expect(theirs.totals.leads).toBe(0)
  expect((await read(SPAN, other)).choices).toEqual({ orders: [], states: [], lead_types: [], sources: [] })
  expect((await app.call('GET', '/api/v1/analytics')).status).toBe(401)
})

test('delivery success is delivered ÷ all deliveries, waiting ones too; a resend replaces the failed delivery', async () => {
  const body = { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook' }
  const hooks = [
    (await app.call('POST', '/api/v1/webhook-configs', { token: client.token, body })).json.id,
    (await app.call('POST', '/api/v1/webhook-configs', { token: client.token, body })).json.id,
  ]
  const deliver = (lead: string | undefined, hook: string | undefined, state: string, resendOf?: string) =>
    sql<{ id: string }>`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, resend_of,
        next_attempt_at, finished_at, created_at)
      select id, type, ${hook}, ${client.id}, lead_id, ${state}, 1, ${resendOf ?? null}, null, now(),
        now() + make_interval(secs => ${resendOf === undefined ? 0 : 5}) from events
      where lead_id = ${lead} and type = 'lead.assigned' returning id`.execute(db)
  await deliver(ids[0], hooks[0], 'delivered')
  await deliver(ids[0], hooks[1], 'delivered')
  await deliver(ids[1], hooks[0], 'delivered')
  await deliver(ids[1], hooks[1], 'failed')
  const failed = (await deliver(ids[2], hooks[0], 'failed')).rows[0]
  await deliver(ids[2], hooks[0], 'delivered', failed?.id)
  await deliver(ids[3], hooks[0], 'cancelled')
  await deliver(ids[3], hooks[1], 'pending')
  expect((await read(SPAN)).totals).toMatchObject({ attempted: 6, delivered: 4, delivery_rate: 4 / 6 })
})

test('the figures are exported as a CSV file without formulas', async () => {
  const { status, headers, text } = await get(`/api/v1/analytics.csv?${SPAN}`)
  expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="analytics.csv"'])
  const rows = text.split('\r\n')
  expect(rows[0]).toBe('Group,Of,Leads,Spend,Returned,Refunded,Contacted,Sold,Revenue')
  expect(rows[1]).toBe('Period,2026-03-09 to 2026-03-11,4,105.50,1,25.00,2,1,0.00')
  expect(rows).toContain('Day,2026-03-10,3,80.50,1,25.00,1,0,0.00')
  expect(rows).toContain('State,TX,2,55.50,0,0.00,2,1,0.00')
  expect(rows).toContain('Type,final_expense,4,105.50,1,25.00,2,1,0.00')
  expect(rows).toContain("Source,'=1+1,1,25.00,0,0.00,0,0,0.00")
  expect(rows).toContain('Disposition,sold,1')
  expect(rows).toHaveLength(1 + 1 + 3 + 3 + 1 + 2 + 3 + 24 + 1)
})

test('a lead counts on the right day and hour in a zone of three quarters of an hour', async () => {
  const set = (zone: string) =>
    sql`update client_accounts set timezone = ${zone} where user_id = ${client.id}`.execute(db)
  await set('Asia/Kathmandu')
  await give({ at: '2026-05-01T18:14:59.999Z' })
  await give({ at: '2026-05-01T18:15:00Z', disposition: 'sold' })
  const { days, hours } = await read('from=2026-05-01&to=2026-05-02')
  expect(days.map(({ leads, sold }) => [leads, sold])).toEqual([
    [1, 0],
    [1, 1],
  ])
  expect([hours[23], hours[0]]).toMatchObject([{ leads: 1 }, { leads: 1, sold: 1 }])
  await set(ZONE)
})

test('a period covers seven, thirty or ninety days until today, or two dates at most a year apart', async () => {
  for (const [query, days] of [
    ['', 30],
    ['days=7', 7],
    ['days=90', 90],
    ['from=2024-01-01&to=2024-12-31', 366],
  ] as const)
    expect((await read(query)).days, query).toHaveLength(days)
  for (const query of [
    'days=8',
    'from=2026-03-01',
    'to=2026-03-01',
    'from=2026-03-02&to=2026-03-01',
    'from=2024-01-01&to=2025-01-01',
    'from=2026-02-30&to=2026-03-01',
    'from=0001-01-01&to=0001-01-02',
    'order=none',
    'state=Texas',
  ])
    expect((await get(`/api/v1/analytics?${query}`)).status, query).toBe(422)
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { analyticsSchema } from '#core/contract/market/analytics.ts'
import {
  deliveryReportSchema,
  exceptionsSchema,
  type DeliveryReport,
  type Exceptions,
} from '#core/contract/market/delivery-figures.ts'
import { giveLead } from '../leads/give-lead.ts'
import { startForTwo } from '../leads/start-for-two.ts'
import type { Person } from '../support/start-app.ts'

const { app, client, other, get } = await startForTwo()
const { db } = app.context
const SPAN = 'from=2026-03-09&to=2026-03-11'
for (const { id } of [client, other])
  await sql`update client_accounts set timezone = 'UTC' where user_id = ${id}`.execute(db)

async function report(query: string, who: Person = client): Promise<DeliveryReport> {
  const { status, json, text } = await get(`/api/v1/analytics/deliveries?${query}`, who)
  expect(status, text).toBe(200)
  return deliveryReportSchema.parse(json)
}

async function exceptions(query: string, who: Person = client): Promise<Exceptions> {
  const { status, json, text } = await get(`/api/v1/analytics/exceptions?${query}`, who)
  expect(status, text).toBe(200)
  return exceptionsSchema.parse(json)
}

async function addWebhook(name: string, owner: Person = client): Promise<string> {
  const body = { webhook_name: name, endpoint_url: 'https://crm.example.com/hook' }
  return (await app.call('POST', '/api/v1/webhook-configs', { token: owner.token, body })).json.id
}

async function give(
  at: string,
  fields: { state?: string | null; price?: number; test?: boolean; owner?: Person } = {},
): Promise<string> {
  const { state = 'TX', price = 20, test: isTest = false, owner = client } = fields
  const id = await giveLead(app, owner, {
    phone: null,
    email: `${Math.random()}@example.com`,
    name: 'Kim Sample',
  })
  await sql`
    update leads set created_at = ${at}, price_charged = ${price}, state = ${state}, is_test = ${isTest} where id = ${id}`.execute(
    db,
  )
  return id
}

interface Given {
  seconds?: number
  event?: 'lead.assigned' | 'lead.created'
  resendOf?: string
  /** seconds after the first delivery of its event */
  after?: number
  owner?: Person
}

/** Creates a delivery that ended some seconds after it was planned; returns its id. */
async function deliver(lead: string, hook: string, state: string, given: Given = {}): Promise<string> {
  const { seconds = 1, event = 'lead.assigned', resendOf = null, after = 0, owner = client } = given
  const isOpen = state === 'pending' || state === 'held'
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, resend_of,
      failure_class, next_attempt_at, created_at, finished_at)
    select id, type, ${hook}, ${owner.id}, lead_id, ${state}, 1, ${resendOf}, ${state === 'failed' ? 'http_5xx' : null},
      case when ${isOpen} then now() + interval '1 day' end, created_at + make_interval(secs => ${after}::float8),
      case when not ${isOpen} then created_at + make_interval(secs => ${after}::float8 + ${seconds}::float8) end
    from events where lead_id = ${lead} and type = ${event} returning id`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`There is no ${event} of ${lead}`)
  return row.id
}

const [agency, branch, idle] = [
  await addWebhook('Agency'),
  await addWebhook('Branch'),
  await addWebhook('Idle'),
]
const leads = [
  await give('2026-03-09T01:00:00Z'),
  await give('2026-03-10T01:00:00Z', { price: 30.5 }),
  await give('2026-03-10T02:00:00Z', { state: 'CA' }),
  await give('2026-03-11T02:00:00Z', { state: null }),
] as const
// These took one, three and two seconds; one lead sent for two events counts once.
await deliver(leads[0], agency, 'delivered', { seconds: 1 })
await deliver(leads[0], agency, 'delivered', { seconds: 3, event: 'lead.created' })
await deliver(leads[0], branch, 'pending')
await deliver(leads[1], agency, 'failed')
await deliver(leads[1], branch, 'held')
// It failed, was resent after a minute and was delivered: 62 s from the beginning.
const lost = await deliver(leads[2], branch, 'failed')
await deliver(leads[2], branch, 'delivered', { resendOf: lost, after: 60, seconds: 2 })
// Its resend was cancelled, so it still counts as a failure.
const failed = await deliver(leads[2], agency, 'failed')
await deliver(leads[2], agency, 'cancelled', { resendOf: failed, after: 60 })
await deliver(leads[3], branch, 'cancelled')
// These count for nothing: a test lead, and one from before the period.
await deliver(await give('2026-03-10T03:00:00Z', { test: true }), agency, 'failed')
await deliver(await give('2026-03-08T23:59:59Z'), agency, 'failed')

test('deliveries are counted by webhook as arrived, failed or waiting, with speed and cost', async () => {
  const { webhooks, from, to, timezone } = await report(SPAN)
  expect([from, to, timezone]).toEqual(['2026-03-09', '2026-03-11', 'UTC'])
  expect(webhooks).toEqual([
    {
      webhook_config_id: agency,
      webhook_name: 'Agency',
      leads: 3,
      spend: '70.50',
      delivered: 2,
      failed: 2,
      waiting: 0,
      delivery_rate: 0.5,
      median_ms: 1000,
    },
    {
      webhook_config_id: branch,
      webhook_name: 'Branch',
      leads: 3,
      spend: '70.50',
      delivered: 1,
      failed: 0,
      waiting: 2,
      delivery_rate: 1 / 3,
      median_ms: 62_000,
    },
    {
      webhook_config_id: idle,
      webhook_name: 'Idle',
      leads: 0,
      spend: '0.00',
      delivered: 0,
      failed: 0,
      waiting: 0,
      delivery_rate: null,
      median_ms: null,
    },
  ])
})

test('leads and spend equal those of analytics, and the deliveries of states and webhooks have the same sum', async () => {
  const { all, states, webhooks } = await report(SPAN)
  const analytics = analyticsSchema.parse((await get(`/api/v1/analytics?${SPAN}`)).json)
  const pick = (rows: readonly { state: string | null; leads: number; spend: string }[]) =>
    rows.map(({ state, leads: count, spend }) => ({ state, leads: count, spend }))
  expect(pick(states)).toEqual(pick(analytics.states))
  expect([all.leads, all.spend]).toEqual([analytics.totals.leads, analytics.totals.spend])
  expect(states.map(({ state, delivered, failed: f, waiting }) => [state, delivered, f, waiting])).toEqual([
    ['TX', 2, 1, 2],
    ['CA', 1, 1, 0],
    [null, 0, 0, 0],
  ])
  for (const name of ['delivered', 'failed', 'waiting'] as const) {
    const sum = (rows: readonly { [key in typeof name]: number }[]) =>
      rows.reduce((n, row) => n + row[name], 0)
    expect([sum(states), sum(webhooks)], name).toEqual([all[name], all[name]])
  }
  expect(analytics.totals).toMatchObject({ attempted: 7, delivered: 3, delivery_rate: all.delivery_rate })
  expect([all.delivery_rate, all.median_ms]).toEqual([3 / 7, 3000])
})

test('figures can be filtered by state and webhook; with a webhook, they count the leads meant for it', async () => {
  const texas = await report(`${SPAN}&state=tx`)
  expect(texas.all).toMatchObject({ leads: 2, spend: '50.50', delivered: 2, failed: 1, waiting: 2 })
  expect(texas.states).toHaveLength(1)
  const one = await report(`${SPAN}&webhook=${branch}`)
  expect(one.webhooks.map(({ webhook_name: name }) => name)).toEqual(['Branch'])
  expect(one.all).toMatchObject({ leads: 3, spend: '70.50', delivered: 1, waiting: 2, median_ms: 62_000 })
  expect(one.states.map(({ state, leads: count }) => [state, count])).toEqual([
    ['TX', 2],
    ['CA', 1],
  ])
})

test('failed deliveries are listed as they are counted, newest first, with the open returns', async () => {
  await sql`update webhook_deliveries set finished_at = '2026-03-12T00:00:00Z' where id = ${failed}`.execute(
    db,
  )
  await sql`update lead_assignments set price = 20 where lead_id = ${leads[3]}`.execute(db)
  const asked = await app.call('POST', `/api/v1/leads/${leads[3]}/return`, {
    token: client.token,
    body: { reason: 'wrong_state' },
  })
  expect(asked.status, asked.text).toBe(201)
  const { failed: rows, failed_more, returns, returns_more } = await exceptions(SPAN)
  expect([failed_more, returns_more, rows.length]).toEqual([false, false, (await report(SPAN)).all.failed])
  expect(rows.find(({ delivery_id: id }) => id === failed)).toEqual({
    delivery_id: failed,
    attempt_id: null,
    failed_at: '2026-03-12T00:00:00.000Z',
    attempts: 1,
    reason: 'http_5xx',
    message: null,
    webhook_config_id: agency,
    webhook_name: 'Agency',
    is_active: true,
    is_returned: false,
    lead: { id: leads[2], name: 'Kim Sample', state: 'CA' },
  })
  const times = rows.map(({ failed_at: at }) => at)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(returns.map(({ lead, reason, price }) => [lead.id, reason, price])).toEqual([
    [leads[3], 'wrong_state', '20.00'],
  ])
  expect((await exceptions(`${SPAN}&webhook=${branch}`)).failed).toEqual([])
  const california = await exceptions(`${SPAN}&state=CA`)
  expect([california.failed.length, california.returns.length]).toEqual([1, 0])
})

test('a client who has returned a lead no longer sees the person', async () => {
  await sql`update lead_assignments set state = 'returned' where lead_id = ${leads[1]}`.execute(db)
  const { failed: rows } = await exceptions(SPAN)
  const row = rows.find(({ lead }) => lead.id === leads[1])
  expect(row).toMatchObject({ is_returned: true, lead: { name: 'Returned: do not contact' } })
})

test('another client’s deliveries, webhooks and returns do not appear', async () => {
  const theirs = await addWebhook('Theirs', other)
  await deliver(await give('2026-03-10T04:00:00Z', { owner: other }), theirs, 'failed', { owner: other })
  const mine = await report(SPAN)
  expect(mine.webhooks.map(({ webhook_name: name }) => name)).toEqual(['Agency', 'Branch', 'Idle'])
  expect((await report(`${SPAN}&webhook=${theirs}`)).all).toMatchObject({ leads: 0, failed: 0 })
  expect((await report(`${SPAN}&webhook=${theirs}`)).webhooks).toEqual([])
  expect((await exceptions(`${SPAN}&webhook=${theirs}`)).failed).toEqual([])
  expect((await report(SPAN, other)).all).toMatchObject({ leads: 1, delivered: 0, failed: 1 })
  expect((await exceptions(SPAN, other)).returns).toEqual([])
  expect((await app.call('GET', '/api/v1/analytics/deliveries')).status).toBe(401)
  expect((await app.call('GET', '/api/v1/analytics/exceptions')).status).toBe(401)
})

test('a period has at most 92 days', async () => {
  expect((await report('from=2026-01-01&to=2026-04-02')).from).toBe('2026-01-01')
  for (const query of [
    'from=2026-01-01&to=2026-04-03',
    'from=2026-01-01',
    'days=8',
    'webhook=none',
    'state=Texas',
  ])
    for (const call of ['deliveries', 'exceptions'])
      expect((await get(`/api/v1/analytics/${call}?${query}`)).status, query).toBe(422)
})

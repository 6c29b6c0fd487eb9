import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CLIENT_EVENTS, type ClientEvent } from '#core/contract/events.ts'
import { EVENT_DATA } from '#core/contract/webhooks/events/event-data.ts'
import { findLeadOfId, readLeadTrace } from '#core/data/leads/lead-trace.ts'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { postEntries } from '#core/data/market/ledger.ts'
import { setWebhookMember } from '#core/data/webhooks/webhook-members.ts'
import { ENDPOINT_RULE } from '#core/domain/webhooks/endpoint-rule.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { reassignLead } from '#core/use-cases/market/reassign-lead.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { givenConfig, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { judgeFunding } from '#worker/housekeeping/market/judge-funding.ts'
import { tellCaps } from '#worker/housekeeping/notices/tell-caps.ts'
import { tellStatements } from '#worker/housekeeping/notices/tell-statements.ts'
import { givenHealth } from '../housekeeping/notice-rows.ts'

let pipeline: TestPipeline
let crm: Receiver
let client: string
let webhook: string
beforeAll(async () => {
  pipeline = await startPipeline({ LOG_LEVEL: 'error' })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  crm = await startReceiver()
  client = await givenBuyer(pipeline.db)
  ;({ id: webhook } = await givenConfig(pipeline.context, client, {
    endpoint_url: crm.url,
    trigger_on_lead_assigned: false,
    events: [...CLIENT_EVENTS],
  }))
  return () => crm.close()
})

/** Waits for the events that the client's webhook gets, by their types; each fits its schema. */
async function received(count: number): Promise<Map<string, Record<string, unknown>>> {
  await crm.waitForCount(count, { timeoutMs: 20_000 })
  const told = crm.requests.map(({ body, headers }) => {
    const { event, event_id, occurred_at, ...data } = JSON.parse(body) as Record<string, unknown>
    expect([event, event_id]).toEqual([headers['leadwire-event'], headers['webhook-id']])
    expect(typeof occurred_at).toBe('string')
    const type = event as ClientEvent
    expect(EVENT_DATA[type].strict().safeParse(data).error).toBeUndefined()
    return [type, data] as const
  })
  expect(told).toHaveLength(count)
  return new Map(told)
}

test('a client that loses a lead to another is told that it was returned and reassigned, without the person', async () => {
  const { db, context } = pipeline
  const state = freshState()
  const buyer = await givenBuyer(db)
  await givenOrder(db, client, { states: [state], priority: 1 })
  const order = await givenOrder(db, buyer, { states: [state], priority: 9 })
  const [lead = ''] = await givenOffers(db, [{ state, email: `${randomUUID()}@example.com` }])
  await assignLeads(context.market, [lead])
  await reassignLead(context.market, { lead_id: lead, order_id: order, by: randomUUID() }, async () => {})
  // An erasure right after does not keep the client from hearing of it.
  await db.transaction().execute((trx) => eraseLead(trx, lead))

  const told = await received(2)
  const ids = { lead_id: lead, external_id: null, receiver_id: null }
  expect(told.get('lead.returned')).toMatchObject({ ...ids, reason: 'taken_back', credited: 25 })
  expect(told.get('lead.reassigned')).toEqual({ ...ids, reason: 'taken_back', credited: 25 })
  const { deliveries } = await readLeadTrace(db, lead)
  expect(deliveries).toHaveLength(2)
  expect(await findLeadOfId(db, deliveries[0]?.id ?? '')).toEqual({ lead_id: lead, by: 'delivery' })
  expect(crm.requests.map(({ body }) => body).join()).not.toMatch(/@example.com|\+1\d{10}|name/)
})

/** Gives the client an order, so that its balance counts as enough until it falls. */
async function givenFunds(): Promise<void> {
  await givenOrder(pipeline.db, client, { states: [freshState()] })
  await judgeFunding(pipeline.context, new AbortController().signal)
}

test('a balance that falls is told once for each line that it crosses', async () => {
  const { db } = pipeline
  const spend = (amount: string) =>
    postEntries(db, [
      { client_user_id: client, entry_type: 'manual_debit', amount: `-${amount}`, note: 'Test' },
    ])
  await givenFunds()
  await spend('940')
  expect((await received(1)).get('balance.low')).toEqual({ balance: 60, threshold: 100 })
  await spend('50')
  expect((await received(2)).get('balance.out')).toEqual({ balance: 10 })
})

test('an order that reaches its cap is told once a day, with the time at which it opens again', async () => {
  const { db, context } = pipeline
  const state = freshState()
  const order = await givenOrder(db, client, { states: [state], daily_cap: 1, name: 'West' })
  const leads = await givenOffers(db, [{ state }])
  await assignLeads(context.market, leads)
  await Promise.all([tellCaps(context), tellCaps(context)])
  await tellCaps(context)
  const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0)).toISOString()
  expect((await received(1)).get('order.cap_reached')).toEqual({
    order_id: order,
    order_name: 'West',
    cap: 'daily',
    cap_limit: 1,
    opens_at: midnight,
  })
})

test('a webhook that fails, and one that is switched off, are told to the others', async () => {
  const { db, context } = pipeline
  const failing = await givenConfig(context, client, {
    endpoint_url: 'http://127.0.0.1:9/',
    events: ['webhook.failing'],
  })
  const health = { failures: ENDPOINT_RULE.warnAfterFailures, failingHours: 1, failedHoursAgo: [] }
  await givenHealth(db, failing.id, health)
  expect((await received(1)).get('webhook.failing')).toMatchObject({
    webhook_id: failing.id,
    webhook_name: 'Example CRM',
    failures_in_row: ENDPOINT_RULE.warnAfterFailures,
    last_error: '503: your endpoint is not available right now.',
  })
  await sql`
    update client_webhook_configs set is_active = false, disabled_at = now(), disabled_reason = 'The endpoint answered 410.'
    where id = ${failing.id}`.execute(db)
  expect((await received(2)).get('webhook.disabled')).toMatchObject({
    webhook_id: failing.id,
    reason: 'The endpoint answered 410.',
  })
  expect(crm.requests).toHaveLength(2)
})

test('a month that has ended is told once, with the number of its statement', async () => {
  const { db, context } = pipeline
  const { signal } = new AbortController()
  await sql`update client_accounts set timezone = 'America/Chicago' where user_id = ${client}`.execute(db)
  const now = new Date()
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2))
  await tellStatements(context, signal)
  await Promise.all([1, 2].map(() => tellStatements(context, signal, nextMonth)))
  const told = (await received(1)).get('statement.ready')
  const { rows } = await sql<{ month: string; number: number }>`
    select month, number from statements where client_user_id = ${client}`.execute(db)
  expect(told).toEqual({ ...rows[0], opening: 0, closing: 1000 })
})

test('a webhook that becomes one person’s gets nothing of the account that still waits', async () => {
  const { db } = pipeline
  await sql`
    insert into events (type, client_user_id, subject_type, subject_id, data, planned_at, enqueued_at)
    values ('balance.out', ${client}, 'account', ${client}, '{"balance": 1}', now(), now())`.execute(db)
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, next_attempt_at)
    select id, type, ${webhook}, client_user_id, id, now() + interval '1 hour' from events
    where client_user_id = ${client} and type = 'balance.out'`.execute(db)
  const which = { client, webhook_config_id: webhook }
  await db.transaction().execute((trx) => setWebhookMember(trx, which, client, client))
  const { rows } = await sql`select state from webhook_deliveries where client_user_id = ${client}`.execute(
    db,
  )
  expect(rows).toEqual([{ state: 'cancelled' }])
})

test('a webhook that is off hears nothing of what happens meanwhile, and is offered nothing', async () => {
  const { db } = pipeline
  await sql`update client_webhook_configs set is_active = false where id = ${webhook}`.execute(db)
  await givenFunds()
  await postEntries(db, [
    { client_user_id: client, entry_type: 'manual_debit', amount: '-990', note: 'Test' },
  ])
  const judged = async () =>
    (
      await sql`select from mails where recipient_user_id = ${client} and template = 'out_of_funds'`.execute(
        db,
      )
    ).rows.length
  await expect.poll(judged, { timeout: 20_000 }).toBe(1)
  const { rows } = await sql`
    select from events where client_user_id = ${client} and type like 'balance.%' union all
    select from webhook_deliveries where client_user_id = ${client}`.execute(db)
  expect(rows).toEqual([])
})

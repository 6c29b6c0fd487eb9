import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { leadDetailSchema } from '#core/contract/leads/lead-detail.ts'
import { analyticsSchema } from '#core/contract/market/analytics.ts'
import { heldReturnSchema } from '#core/contract/market/lead-return.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { settleUndelivered } from '#core/use-cases/market/settle-undelivered.ts'
import { givenOffers, topUp } from '#tests/support/given/market.ts'
import { startForTwo } from '../leads/start-for-two.ts'
import type { Person } from '../support/start-app.ts'

const { app, client, other, get } = await startForTwo()
const { db, market } = app.context

/** Creates a client with an order for this state, through the API, and a webhook. */
async function order(
  person: Person,
  state: string,
  when_undelivered: string,
  priority: number,
): Promise<void> {
  const body = {
    name: `All of ${state}`,
    lead_type: 'final_expense',
    timezone: 'UTC',
    states: [state],
    active: true,
  }
  const made = await app.call('POST', '/api/v1/orders', {
    token: person.token,
    body: { ...body, when_undelivered },
  })
  expect(made).toMatchObject({ status: 201, json: { when_undelivered } })
  await sql`update orders set priority = ${priority} where id = ${made.json.id}`.execute(db)
}

beforeAll(async () => {
  for (const person of [client, other]) {
    await sql`update client_accounts set status = 'active' where user_id = ${person.id}`.execute(db)
    await topUp(db, person.id, '1000.00')
    await app.call('POST', '/api/v1/webhook-configs', {
      token: person.token,
      body: { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook' },
    })
  }
})

/** Creates a lead that the first client bought and whose only delivery has failed for good. */
async function giveUndelivered(state: string): Promise<string> {
  const [lead = ''] = await givenOffers(db, [{ state, phone: '+12025550188' }])
  await assignLeads(market, [lead])
  await failDelivery(lead)
  return lead
}

async function failDelivery(lead: string): Promise<void> {
  await sql`update events set planned_at = now() where lead_id = ${lead}`.execute(db)
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
    select e.id, e.type, c.id, e.client_user_id, e.lead_id
    from events e join client_webhook_configs c on c.client_user_id = e.client_user_id
    where e.lead_id = ${lead} and e.type = 'lead.assigned'`.execute(db)
  await sql`
    update webhook_deliveries set state = 'failed', next_attempt_at = null, finished_at = now(), failure_class = 'http_4xx'
    where lead_id = ${lead} and state = 'pending'`.execute(db)
}

async function settle(): Promise<void> {
  const notes = await db.selectFrom('undelivered_leads').select(['id', 'assignment_id']).execute()
  for (const note of notes) await settleUndelivered(market, note)
}

const decisionOf = async (lead: string) => (await get(`/api/v1/admin/leads/${lead}/decision`, app.admin)).json

test('the past holder of a lead sees only that it was returned and why', async () => {
  await order(client, 'OH', 'reoffer', 1)
  await order(other, 'OH', 'keep', 2)
  const lead = await giveUndelivered('OH')
  const body = { lead_id: lead, payload_template: { order: '{{order_name}}' } }
  const preview = (person: Person) =>
    app.call('POST', '/api/v1/webhook-configs/preview', { token: person.token, body })
  expect((await preview(client)).json).toMatchObject({ body: '{"order":"All of OH"}' })
  // The lead was meant for one client and bought by another: the order belongs to the other.
  await sql`update leads set user_id = ${other.id} where id = ${lead}`.execute(db)
  expect((await preview(other)).json).toMatchObject({ body: '{"order":null}' })
  await sql`update leads set user_id = null where id = ${lead}`.execute(db)
  await settle()
  expect(await decisionOf(lead)).toMatchObject({
    outcome: 'no_buyer',
    reason: 'delivery_failed',
    order_id: null,
  })
  await sql`update leads set name = 'Hidden Person' where id = ${lead}`.execute(db)
  await sql`
    insert into events (type, lead_id, data, enqueued_at, planned_at)
    values ('lead.unassigned', ${lead}, '{"reason": "daily_cap"}', now(), now())`.execute(db)
  await assignLeads(market, [lead])

  const mine = await get(`/api/v1/leads/${lead}`)
  expect(mine).toMatchObject({
    status: 200,
    json: {
      name: 'Returned: do not contact',
      phone: null,
      status: 'returned',
      price: '25.00',
      assigned_to: null,
      returnable: null,
      return: { reason: 'delivery_failed', status: 'approved', asked_by: 'system', price: '25.00' },
    },
  })
  expect(mine.text).not.toMatch(new RegExp(`Hidden|5550188|${other.id}`))
  const { timeline } = leadDetailSchema.parse(mine.json)
  expect(timeline.find(({ type }) => type === 'lead.returned')?.data).toMatchObject({
    reason: 'delivery_failed',
  })
  const offers = (told: typeof timeline) =>
    told.flatMap(({ type }) => (['lead.offered', 'lead.unassigned'].includes(type) ? [type] : []))
  expect(offers(timeline)).toEqual([])
  const { totals } = analyticsSchema.parse((await get('/api/v1/analytics?days=7')).json)
  expect(totals).toMatchObject({ leads: 1, spend: '25.00', returned: 1, refunded: '25.00' })
  expect((await get('/api/v1/dashboard')).json).toMatchObject({ leads: { today: 1 } })
  expect((await get('/api/v1/balance')).json).toMatchObject({ spent_today: '25.00' })
  expect((await get('/api/v1/returns')).json.data).toMatchObject([
    { lead_id: lead, reason: 'delivery_failed' },
  ])
  const again = await app.call('POST', `/api/v1/leads/${lead}/return`, {
    token: client.token,
    body: { reason: 'language' },
  })
  expect(again.status).toBe(404)

  const listed = async (query: string, person = client) =>
    (await get(`/api/v1/leads?${query}`, person)).json.data.filter(({ id }) => id === lead)
  for (const query of ['', 'sort=received', 'status=returned&state=OH'])
    expect(await listed(query)).toMatchObject([
      { name: 'Returned: do not contact', phone: null, status: 'returned', price: '25.00', unread: false },
    ])
  for (const query of [
    'search=Hidden',
    'search=5550188',
    'status=assigned',
    'unread=true',
    'state=CA',
    'sort=name',
  ])
    expect([query, await listed(query)]).toEqual([query, []])
  expect(await listed('', other)).toMatchObject([{ name: 'Hidden Person', status: 'assigned' }])
  expect((await get(`/api/v1/leads/${lead}/neighbours`)).status).toBe(200)
  expect((await get(`/api/v1/leads/${lead}/neighbours`, await app.newClient())).status).toBe(404)

  const theirs = await get(`/api/v1/leads/${lead}`, other)
  expect(theirs.json).toMatchObject({ name: 'Hidden Person', status: 'assigned', return: null })
  expect(leadDetailSchema.parse(theirs.json).timeline[0]?.type).toBe('lead.assigned')
  expect(theirs.text).not.toMatch(new RegExp(`delivery_failed|${client.id}`))
  expect(await decisionOf(lead)).toMatchObject({
    outcome: 'assigned',
    client_user_id: other.id,
    refused: { sold_to_client_before: 1 },
    returns: [
      { client_user_id: client.id, order_name: 'All of OH', price: '25.00', reason: 'delivery_failed' },
    ],
  })
  expect((await get(`/api/v1/leads/${lead}`, await app.newClient())).status).toBe(404)
})

test('an administrator decides for a client with many undeliverable leads, and credits no delivered lead', async () => {
  const buyer = await app.newClient()
  await sql`update client_accounts set status = 'active' where user_id = ${buyer.id}`.execute(db)
  await topUp(db, buyer.id, '1000.00')
  await app.call('POST', '/api/v1/webhook-configs', {
    token: buyer.token,
    body: { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook' },
  })
  await order(buyer, 'OR', 'return', 1)
  const leads = await givenOffers(
    db,
    Array.from({ length: 20 }, () => ({ state: 'OR' })),
  )
  await assignLeads(market, leads)
  for (const lead of leads.slice(0, 7)) {
    await failDelivery(lead)
    await settle()
  }
  const read = async (status: string) => {
    const { json } = await get(`/api/v1/admin/returns?status=${status}`, app.admin)
    return z
      .array(heldReturnSchema)
      .parse(json.data)
      .filter((one) => one.client.user_id === buyer.id)
  }
  const [second, first, ...none] = await read('pending')
  const held = { reason: 'delivery_failed', held_for_review: true, was_delivered: false }
  expect([second, first, none]).toMatchObject([
    { lead_id: leads[6], ...held },
    { lead_id: leads[5], ...held },
    [],
  ])
  const seen = await get(`/api/v1/leads/${leads[5]}`, buyer)
  expect(seen.json).toMatchObject({ status: 'assigned', return: { status: 'pending', asked_by: 'system' } })

  const decide = (id: string | undefined, end: 'approve' | 'deny') =>
    app.call('POST', `/api/v1/admin/returns/${id}/${end}`, { token: app.admin.token, body: {} })
  const sendAgain = (lead: string | undefined) =>
    sql`
      insert into webhook_deliveries
        (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of, attempt, lease_token, lease_until)
      select event_id, event_type, webhook_config_id, client_user_id, lead_id, id, 1, gen_random_uuid(), now() + interval '1 minute'
      from webhook_deliveries where lead_id = ${lead}`.execute(db)
  const end = (lead: string | undefined, state: 'delivered' | 'failed') =>
    sql`
      update webhook_deliveries set state = ${state}, next_attempt_at = null, finished_at = now(), lease_token = null, lease_until = null
      where lead_id = ${lead} and state = 'pending'`.execute(db)
  for (const lead of [leads[5], leads[6]]) await sendAgain(lead)
  const early = await decide(first?.id, 'approve')
  expect([early.status, early.json.detail]).toEqual([
    409,
    'It is being sent at this moment. Try again in a minute.',
  ])
  await end(leads[5], 'failed')
  await end(leads[6], 'delivered')
  expect((await read('pending')).map((one) => one.was_delivered)).toEqual([true, false])
  const late = await decide(second?.id, 'approve')
  expect([late.status, late.json.detail]).toEqual([409, 'It was delivered since; deny it.'])
  expect((await decide(second?.id, 'deny')).status).toBe(200)
  expect((await decide(first?.id, 'approve')).status).toBe(200)
  // 20 leads cost 25.00 each; five were credited automatically and one by the administrator.
  expect((await get('/api/v1/balance', buyer)).json).toMatchObject({ balance: '650.00' })
})

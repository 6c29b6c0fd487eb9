import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { settleUndelivered } from '#core/use-cases/market/settle-undelivered.ts'
import { attemptRecord, givenLease } from '#tests/support/given/attempt-record.ts'
import { freshState, givenOffers, givenOrder, topUp } from '#tests/support/given/market.ts'
import { startForTwo } from '../leads/start-for-two.ts'
import type { Person } from '../support/start-app.ts'

const { app, get } = await startForTwo()
const { db, market } = app.context

/**
 * Creates a client who bought a lead that is taken back if undeliverable, with a planned delivery to each of
 * two webhooks.
 */
async function giveBought(): Promise<{
  buyer: Person
  lead: string
  webhooks: string[]
  deliveries: string[]
}> {
  const buyer = await app.newClient()
  await sql`update client_accounts set status = 'active' where user_id = ${buyer.id}`.execute(db)
  await topUp(db, buyer.id, '100.00')
  const webhooks = []
  for (const webhook_name of ['CRM', 'Dialer']) {
    const body = { webhook_name, endpoint_url: 'https://crm.example.com/hook' }
    webhooks.push((await app.call('POST', '/api/v1/webhook-configs', { token: buyer.token, body })).json.id)
  }
  const state = freshState()
  await givenOrder(db, buyer.id, { states: [state], when_undelivered: 'return' })
  const [lead = ''] = await givenOffers(db, [{ state }])
  await assignLeads(market, [lead])
  await sql`update events set planned_at = now() where lead_id = ${lead}`.execute(db)
  const deliveries = []
  for (const webhook of webhooks) {
    const { rows } = await sql<{ id: string }>`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
      select id, type, ${webhook}, client_user_id, lead_id from events where lead_id = ${lead} and type = 'lead.assigned'
      returning id`.execute(db)
    deliveries.push(rows[0]?.id ?? '')
  }
  return { buyer, lead, webhooks, deliveries }
}

/** Sends a delivery as a worker would. @returns a function that records the answer */
async function send(
  delivery: string | undefined,
  state: 'delivered' | 'failed',
): Promise<() => Promise<unknown>> {
  const { delivery: claimed, token } = await givenLease(db, delivery ?? '')
  const record = attemptRecord(claimed, token, state === 'failed' ? { state, error_class: 'http_4xx' } : {})
  return () => recordAttempts(db, [record])
}

async function settle(): Promise<string[]> {
  const notes = await db.selectFrom('undelivered_leads').select(['id', 'assignment_id']).execute()
  const settled = []
  for (const note of notes) settled.push(await settleUndelivered(market, note))
  return settled.map(({ verdict }) => verdict)
}

const remove = async (buyer: Person, webhook: string | undefined) => {
  const gone = await app.call('DELETE', `/api/v1/webhook-configs/${webhook}`, { token: buyer.token })
  expect(gone.status).toBe(204)
}
const read = async (buyer: Person, lead: string) => {
  const [seen, { json }] = [await get(`/api/v1/leads/${lead}`, buyer), await get('/api/v1/balance', buyer)]
  return { ...json, status: seen.json.status }
}

test('a lead that one webhook accepted is not credited when that webhook is deleted and another fails', async () => {
  const { buyer, lead, webhooks, deliveries } = await giveBought()
  await (
    await send(deliveries[0], 'delivered')
  )()
  await remove(buyer, webhooks[0])
  await (
    await send(deliveries[1], 'failed')
  )()
  expect(await settle()).toEqual(['leave'])
  expect(await read(buyer, lead)).toMatchObject({ status: 'assigned', balance: '75.00' })
})

test('a lead in flight to a deleted webhook is not credited then, nor once it has arrived', async () => {
  const { buyer, lead, webhooks, deliveries } = await giveBought()
  const arrive = await send(deliveries[0], 'delivered')
  await (
    await send(deliveries[1], 'failed')
  )()
  await remove(buyer, webhooks[0])
  expect(await settle()).toEqual(['wait', 'wait'])
  await arrive()
  expect(await settle()).toEqual(['leave', 'leave'])
  expect(await read(buyer, lead)).toMatchObject({ status: 'assigned', balance: '75.00' })
})

test('a request that ended with its worker delays the credit until its lease ends, even if the webhook was deleted', async () => {
  const { buyer, lead, webhooks, deliveries } = await giveBought()
  await send(deliveries[0], 'delivered')
  await (
    await send(deliveries[1], 'failed')
  )()
  await remove(buyer, webhooks[0])
  expect(await settle()).toEqual(['wait', 'wait'])
  await sql`update undelivered_leads set leaving_until = now() where leaving_until is not null`.execute(db)
  expect(await settle()).toEqual(['return', 'leave'])
  expect(await read(buyer, lead)).toMatchObject({ status: 'returned', balance: '100.00' })
})

test('a pending return cannot be approved once the lead has arrived, whatever is deleted afterwards', async () => {
  const { buyer, lead, webhooks, deliveries } = await giveBought()
  const { rows } = await sql<{ id: string }>`
    insert into lead_returns (assignment_id, lead_id, client_user_id, reason, asked_by, held_for_review)
    select id, lead_id, client_user_id, 'delivery_failed', 'system', true from lead_assignments where lead_id = ${lead}
    returning id`.execute(db)
  const approve = () =>
    app.call('POST', `/api/v1/admin/returns/${rows[0]?.id}/approve`, { token: app.admin.token, body: {} })
  const arrive = await send(deliveries[0], 'delivered')
  await remove(buyer, webhooks[0])
  const early = await approve()
  expect([early.status, early.json.detail]).toEqual([
    409,
    'It is being sent at this moment. Try again in a minute.',
  ])
  await arrive()
  await remove(buyer, webhooks[1])
  const { json } = await get('/api/v1/admin/returns?status=pending', app.admin)
  expect(json.data.find((one) => one.lead_id === lead)).toMatchObject({ was_delivered: true })
  const late = await approve()
  expect([late.status, late.json.detail]).toEqual([409, 'It was delivered since; deny it.'])
  expect(await read(buyer, lead)).toMatchObject({ balance: '75.00' })
})

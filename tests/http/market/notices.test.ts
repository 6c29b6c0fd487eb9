import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { clientAccountSchema } from '#core/contract/market/client-account.ts'
import { readToldMails } from '#tests/support/given/told-mails.ts'
import type { Person } from '../support/start-app.ts'
import { givePricedLead } from './give-priced-lead.ts'
import { eventOf, eventOfPage } from './payments/payment-event.ts'
import { openPaidApp } from './payments/open-paid-app.ts'

const paid = openPaidApp()
let client: Person
beforeAll(async () => {
  client = await paid.app.newClient()
})

const admin = (method: string, path: string, body: object = {}) =>
  paid.app.call(method, `/api/v1/admin/${path}`, { token: paid.app.admin.token, body })
/** Number of mails seen so far. */
let seen = 0
async function told(): Promise<string[]> {
  const subjects = await readToldMails(paid.app.context.db, client.id)
  const news = subjects.slice(seen)
  seen = subjects.length
  return news
}

test('a payment that arrives, fails, is taken back or returns is reported once each, but not an abandoned page', async () => {
  const { id } = await paid.ask(client, 50)
  const body = eventOfPage(id)
  for (const event of [body, body, eventOfPage(id)]) await paid.tell(event)
  expect(await told()).toEqual(['$50.00 added to your balance'])
  const left = await paid.ask(client, 50)
  await paid.tell(eventOfPage(left.id, {}, 'expired'))
  expect(await told()).toEqual([])
  const failed = await paid.ask(client, 50)
  for (let time = 0; time < 2; time += 1) await paid.tell(eventOfPage(failed.id, {}, 'async_payment_failed'))
  expect(await told()).toEqual(['Your payment of $50.00 failed'])
  const rejected = await paid.ask(client, 60)
  for (let time = 0; time < 2; time += 1) await admin('POST', `payments/${rejected.id}/reject`)
  expect(await told()).toEqual(['Your payment of $60.00 failed'])
  const dispute = { id: `du_${id}`, amount: 5000, currency: 'usd', payment_intent: `pi_${id}` }
  for (const status of ['needs_response', 'under_review', 'won', 'won'])
    await paid.tell(eventOf('charge.dispute.updated', { ...dispute, status }))
  expect(await told()).toEqual([
    'A payment of yours was disputed: $50.00 taken off your balance',
    '$50.00 are back on your balance',
  ])
  const refund = { id: `ch_${id}`, amount_refunded: 1000, currency: 'usd', metadata: { payment_id: id } }
  await paid.tell(eventOf('charge.refunded', refund))
  expect(await told()).toEqual(['$10.00 of your balance were paid back'])
})

test('an approval, a paused order and a decided return are reported unless the notice is off', async () => {
  for (let time = 0; time < 2; time += 1) await admin('POST', `clients/${client.id}/approve`)
  expect(await told()).toEqual(['Your account is approved'])

  const wish = { name: 'West', lead_type: 'final_expense', timezone: 'UTC', active: true }
  const { json: order } = await paid.app.call('POST', '/api/v1/orders', { token: client.token, body: wish })
  for (const version of [1, 2])
    await admin('PATCH', `orders/${order.id}`, { version, paused: true, reason: 'Asked' })
  expect(await told()).toEqual(['Your order “West” was paused'])

  const decide = async (how: 'approve' | 'deny') => {
    const lead = await givePricedLead(paid.app, client)
    const asked = await paid.app.call('POST', `/api/v1/leads/${lead}/return`, {
      token: client.token,
      body: { reason: 'language' },
    })
    await admin('POST', `returns/${asked.json.id}/${how}`)
    await admin('POST', `returns/${asked.json.id}/${how}`)
  }
  await decide('approve')
  await decide('deny')
  expect(await told()).toEqual(['Return approved: $25.00 on your balance', 'Return denied'])

  const { text } = await paid.app.call('GET', '/api/v1/account', { token: client.token })
  const { version } = clientAccountSchema.parse(JSON.parse(text))
  const off = { version, notices: { returns: false, payments: false } }
  await paid.app.call('PATCH', '/api/v1/account', { token: client.token, body: off })
  await decide('approve')
  await paid.tell(eventOfPage((await paid.ask(client, 50)).id))
  expect(await told()).toEqual([])
  const { rows } =
    await sql`select 1 from mails where recipient_user_id = ${client.id} and data::text ~ '@'`.execute(
      paid.app.context.db,
    )
  expect(rows).toEqual([])
})

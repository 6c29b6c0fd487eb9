import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Person } from '../../support/start-app.ts'
import { disputeOf, eventOf, eventOfPage, refundOf } from './payment-event.ts'
import { openPaidApp } from './open-paid-app.ts'

const paid = openPaidApp()

async function pay(who: Person): Promise<string> {
  const { id } = await paid.ask(who, 50)
  await paid.tell(eventOfPage(id))
  return id
}
/** A later time by the provider's clock. */
const LATER = 4_000_000_000
/** Creates the event that a refund of $50 did not arrive. */
const failureOf = (id: string, type: string, fields: object = {}, created = LATER) => {
  const refund = { id: `re_${id}`, charge: `ch_${id}`, payment_intent: `pi_${id}`, amount: 5000 }
  return eventOf(type, { ...refund, status: 'failed', ...fields }, { created })
}
const adjust = (who: Person, amount: string) =>
  paid.app.call('POST', `/api/v1/admin/clients/${who.id}/adjust`, {
    token: paid.app.admin.token,
    body: { amount, note: 'Test' },
  })
const movesOf = async (who: Person) =>
  (await paid.ledgerOf(who)).map(({ entry_type, amount, balance_after }) => [
    entry_type,
    amount,
    balance_after,
  ])

test('a dispute debits the payment, even below zero, and a won dispute credits it again', async () => {
  const client = await paid.app.newClient()
  const id = await pay(client)
  await adjust(client, '-30')
  const due = Math.floor(Date.now() / 1000) + 7 * 86_400
  const opened = disputeOf(id, 'needs_response', 'created', { evidence_details: { due_by: due } })
  await Promise.all([
    paid.tell(opened),
    paid.tell(opened),
    paid.tell(disputeOf(id, 'under_review', 'updated')),
  ])
  expect(await paid.balanceOf(client)).toBe('-30.00')
  expect(await paid.find(client, id)).toMatchObject({
    status: 'received',
    dispute: 'open',
    taken_back: '50.00',
  })
  // No other debit is possible while the balance is negative; a credit pays the debt first.
  expect((await adjust(client, '-0.01')).status).toBe(409)
  await adjust(client, '10')
  const { json } = await paid.app.call('GET', '/api/v1/balance', { token: client.token })
  expect(json).toMatchObject({ balance: '-20.00', funding: 'out', days_left: null })
  const disputed = await paid.app.call('GET', '/api/v1/admin/payments?disputed=true', {
    token: paid.app.admin.token,
  })
  const dispute_due_by = new Date(due * 1000).toISOString()
  expect(disputed.json.data).toMatchObject([
    { id, dispute: 'open', dispute_due_by, client: { user_id: client.id } },
  ])

  await paid.tell(disputeOf(id, 'won', 'closed'))
  await paid.tell(disputeOf(id, 'won', 'funds_reinstated'))
  expect(await movesOf(client)).toEqual([
    ['chargeback_reversal', '50.00', '30.00'],
    ['manual_credit', '10.00', '-20.00'],
    ['chargeback', '-50.00', '-30.00'],
    ['manual_debit', '-30.00', '20.00'],
    ['top_up', '50.00', '50.00'],
  ])
  expect(await paid.find(client, id)).toMatchObject({ dispute: 'won', taken_back: '0.00' })
})

test('a dispute may arrive before its payment, and its end before its start; a lost dispute stays lost', async () => {
  const client = await paid.app.newClient()
  const { id } = await paid.ask(client, 50)
  await paid.tell(disputeOf(id, 'lost', 'closed'))
  expect(await paid.ledgerOf(client)).toEqual([])
  await paid.tell(eventOfPage(id))
  await paid.tell(disputeOf(id, 'needs_response'))
  await paid.tell(disputeOf(id, 'under_review', 'funds_withdrawn'))
  expect(await movesOf(client)).toEqual([
    ['chargeback', '-50.00', '0.00'],
    ['top_up', '50.00', '50.00'],
  ])
  expect(await paid.find(client, id)).toMatchObject({ dispute: 'lost', taken_back: '50.00' })

  const other = await paid.app.newClient()
  const won = await pay(other)
  await paid.tell(disputeOf(won, 'won', 'closed'))
  await paid.tell(disputeOf(won, 'needs_response'))
  expect([await paid.balanceOf(other), (await paid.ledgerOf(other)).length]).toEqual(['50.00', 1])
})

test('a dispute that arrives together with its payment is debited once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const client = await paid.app.newClient()
    const { id } = await paid.ask(client, 50)
    await Promise.all([
      paid.tell(eventOfPage(id)),
      paid.tell(disputeOf(id, 'needs_response')),
      paid.tell(eventOfPage(id, {}, 'async_payment_succeeded')),
      paid.tell(refundOf(id, 0, { id: `ch_none_${id}` })),
    ])
    expect([await paid.balanceOf(client), (await paid.ledgerOf(client)).length]).toEqual(['0.00', 2])
  }
})

test('a bank inquiry and its end debit nothing', async () => {
  const client = await paid.app.newClient()
  const id = await pay(client)
  await paid.tell(disputeOf(id, 'warning_needs_response'))
  await paid.tell(disputeOf(id, 'warning_closed', 'closed'))
  expect(await paid.balanceOf(client)).toBe('50.00')
  expect(await paid.find(client, id)).toMatchObject({ dispute: null, taken_back: '0.00' })
})

test('a refund in parts is debited in parts, in any order of events', async () => {
  const client = await paid.app.newClient()
  const id = await pay(client)
  await Promise.all([2000, 1000, 1000].map((cents) => paid.tell(refundOf(id, cents))))
  expect(await paid.balanceOf(client)).toBe('30.00')
  await paid.tell(refundOf(id, 5000))
  await paid.tell(refundOf(id, 2000))
  const types = (await paid.ledgerOf(client)).map(({ entry_type }) => entry_type)
  expect([await paid.balanceOf(client), types[0], types.at(-1)]).toEqual(['0.00', 'refund_out', 'top_up'])
  expect(await paid.find(client, id)).toMatchObject({
    status: 'received',
    dispute: null,
    taken_back: '50.00',
  })
})

test('the amount of a dispute may return to an earlier value, and late events change nothing', async () => {
  const client = await paid.app.newClient()
  const id = await pay(client)
  const say = async (amount: number, created?: number) =>
    (await paid.tell(disputeOf(id, 'needs_response', 'updated', { amount }, created))).status
  const answers: number[] = []
  for (const amount of [3000, 5000, 3000]) answers.push(await say(amount))
  expect([answers, await paid.balanceOf(client)]).toEqual([[200, 200, 200], '20.00'])
  await say(4000, LATER)
  await say(1000, LATER - 60)
  expect(await paid.balanceOf(client)).toBe('10.00')
  const notes = (await paid.ledgerOf(client)).map(({ entry_type, note }) => [entry_type, note])
  expect(notes[1]).toEqual(['chargeback_reversal', 'The dispute of a payment is about less than before'])
})

test('a dispute and a refund of one payment debit at most the credited amount, and the excess causes a warning', async () => {
  const client = await paid.app.newClient()
  const id = await pay(client)
  await paid.tell(disputeOf(id, 'needs_response'))
  await paid.tell(refundOf(id, 3000))
  const taken = { status: 'received', taken_back: '50.00' }
  const failure =
    'The provider reports 30.00 USD more going back than was credited. That was not taken off; an administrator looks at it.'
  expect([await paid.balanceOf(client), await paid.find(client, id)]).toMatchObject([
    '0.00',
    { ...taken, failure },
  ])
  await paid.tell(disputeOf(id, 'won', 'closed'))
  expect(await movesOf(client)).toEqual([
    ['refund_out', '-30.00', '20.00'],
    ['chargeback_reversal', '50.00', '50.00'],
    ['chargeback', '-50.00', '0.00'],
    ['top_up', '50.00', '50.00'],
  ])
  expect(await paid.find(client, id)).toMatchObject({ taken_back: '30.00', failure: null })
})

test('a refund debits nothing before its payment is credited, and then at once', async () => {
  const client = await paid.app.newClient()
  const { id } = await paid.ask(client, 50)
  await paid.tell(eventOfPage(id, { amount_total: 4900 }))
  await paid.tell(refundOf(id, 2000))
  expect(await paid.ledgerOf(client)).toEqual([])
  const path = `/api/v1/admin/payments/${id}/receive`
  const { status } = await paid.app.call('POST', path, { token: paid.app.admin.token, body: {} })
  expect(status).toBe(200)
  expect(await movesOf(client)).toEqual([
    ['refund_out', '-20.00', '29.00'],
    ['top_up', '49.00', '49.00'],
  ])
})

test.each(['refund.failed', 'refund.updated', 'charge.refund.updated'])(
  'a failed refund is put back once, in any number and order of events: %s',
  async (type) => {
    const client = await paid.app.newClient()
    const id = await pay(client)
    const failed = (status = 'failed') => failureOf(id, type, { amount: 2000, currency: 'usd', status })
    await paid.tell(refundOf(id, 2000))
    await paid.tell(failed('pending'))
    expect(await paid.balanceOf(client)).toBe('30.00')
    await Promise.all([paid.tell(failed()), paid.tell(failed()), paid.tell(failed('canceled'))])
    expect(await movesOf(client)).toEqual([
      ['correction', '20.00', '50.00'],
      ['refund_out', '-20.00', '30.00'],
      ['top_up', '50.00', '50.00'],
    ])
    // A refund reported before the failure is the same one; one reported after it is another.
    await paid.tell(refundOf(id, 2000))
    expect(await paid.balanceOf(client)).toBe('50.00')
    await paid.tell(refundOf(id, 3000, {}, LATER + 60))
    expect([await paid.balanceOf(client), (await paid.find(client, id)).taken_back]).toEqual([
      '20.00',
      '30.00',
    ])

    const other = await paid.app.newClient()
    const early = await pay(other)
    await paid.tell(failureOf(early, type))
    await paid.tell(refundOf(early, 5000))
    expect([await paid.balanceOf(other), (await paid.ledgerOf(other)).length]).toEqual(['50.00', 1])
  },
)

test.each([5000, 3000])(
  'a refund after a failed refund is debited, even if the failure is reported last or again: %d cents',
  async (cents) => {
    const client = await paid.app.newClient()
    const id = await pay(client)
    const failed = (type: string, created: number) =>
      paid.tell(failureOf(id, type, { id: `re_1_${id}` }, created))
    await paid.tell(refundOf(id, 5000))
    await paid.tell(refundOf(id, cents, {}, LATER + 60))
    await failed('refund.updated', LATER + 120)
    await failed('refund.failed', LATER)
    expect((await paid.find(client, id)).taken_back).toBe(cents === 5000 ? '50.00' : '30.00')
  },
)

test('only the failed one of several refunds is put back', async () => {
  const client = await paid.app.newClient()
  const id = await pay(client)
  await paid.tell(refundOf(id, 1000))
  await paid.tell(refundOf(id, 3000))
  await paid.tell(failureOf(id, 'refund.failed', { id: `re_2_${id}`, amount: 2000 }))
  expect(await paid.balanceOf(client)).toBe('40.00')
})

test('a dispute or refund in another currency debits nothing, is shown at its payment, and ends auto-recharge', async () => {
  const client = await paid.app.newClient()
  const id = await pay(client)
  const { db } = paid.app.context
  await sql`
    update client_accounts set auto_recharge_enabled = true, auto_recharge_threshold = 50, auto_recharge_amount = 50,
      auto_recharge_monthly_max = 50 where user_id = ${client.id}`.execute(db)
  await paid.tell(disputeOf(id, 'needs_response', 'created', { currency: 'eur', amount: 4600 }))
  expect([await paid.balanceOf(client), await paid.find(client, id)]).toMatchObject([
    '50.00',
    {
      status: 'received',
      dispute: 'open',
      taken_back: '0.00',
      failure:
        'The provider reports a dispute in EUR. Nothing was taken off for it; an administrator looks at it.',
    },
  ])
  const { rows } = await sql`
    select auto_recharge_enabled as is_on from client_accounts where user_id = ${client.id}`.execute(db)
  expect(rows).toEqual([{ is_on: false }])
  await paid.tell(disputeOf(id, 'won', 'closed', { currency: 'eur', amount: 4600 }))
  expect(await paid.find(client, id)).toMatchObject({ dispute: 'won', failure: null })
  await paid.tell(refundOf(id, 100_000, { currency: 'jpy' }))
  expect((await paid.find(client, id)).failure).toBe(
    'The provider reports a refund in JPY. Nothing was taken off for it; an administrator looks at it.',
  )
  expect(await paid.balanceOf(client)).toBe('50.00')
})

test.each([
  ['another currency', { currency: 'eur' }],
  ['a negative amount', { amount: -5000, amount_refunded: -5000 }],
  ['more than we can hold', { amount: 1_000_000_000_000, amount_refunded: 1_000_000_000_000 }],
  ['a fraction of a cent', { amount: 49.99, amount_refunded: 49.99 }],
  ['no amount', { amount: null, amount_refunded: null }],
])('a dispute and a refund of %s are answered, and change nothing', async (_what, fields) => {
  const client = await paid.app.newClient()
  const id = await pay(client)
  for (const body of [disputeOf(id, 'lost', 'closed', fields), refundOf(id, 5000, fields)])
    expect((await paid.tell(body)).status).toBe(200)
  expect(await paid.balanceOf(client)).toBe('50.00')
})

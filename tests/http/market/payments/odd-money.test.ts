// Money that arrives in another way than requested, or leaves in another way than it came.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { paymentSchema, type Payment } from '#core/contract/market/money/payment.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { takePageEvent } from '#server/market/payments/take-page-event.ts'
import { takeFailedRefund, takeReversal } from '#server/market/payments/take-reversal.ts'
import { beginInTheWayOf } from '#tests/support/given/lock-waits.ts'
import type { Person } from '../../support/start-app.ts'
import { disputeOf, eventOf, eventOfPage, refundOf } from './payment-event.ts'
import { openPaidApp } from './open-paid-app.ts'

const paid = openPaidApp()

const decide = (id: string, how: 'receive' | 'reject', body: object = {}) =>
  paid.app.call('POST', `/api/v1/admin/payments/${id}/${how}`, { token: paid.app.admin.token, body })
const listOf = async (who: Person): Promise<Payment[]> =>
  (await paid.app.call('GET', '/api/v1/payments', { token: who.token })).json.data.map((row) =>
    paymentSchema.parse(row),
  )
const intentOf = (payment: string, intent: string, fields: object = {}) => ({
  id: intent,
  status: 'succeeded',
  amount_received: 5000,
  currency: 'usd',
  metadata: { payment_id: payment },
  ...fields,
})

/** Creates a payment that an administrator has received by hand. */
async function givenReceived(): Promise<{ client: Person; id: string }> {
  const client = await paid.app.newClient()
  const { id } = await paid.ask(client, 50)
  await decide(id, 'receive')
  return { client, id }
}

test.each([
  [
    'its intent failed',
    (id: string) =>
      eventOf(
        'payment_intent.payment_failed',
        intentOf(id, `pi_x_${id}`, { status: 'requires_payment_method' }),
      ),
  ],
  ['its page has expired', (id: string) => eventOfPage(id, { payment_intent: null }, 'expired')],
  ['its bank debit failed', (id: string) => eventOfPage(id, {}, 'async_payment_failed')],
  ['its bank debit has begun', (id: string) => eventOfPage(id, { payment_status: 'unpaid' })],
  [
    'its page was paid with nothing',
    (id: string) => eventOfPage(id, { payment_intent: null, amount_total: 0 }),
  ],
  [
    'a page of nobody’s was paid',
    (id: string) => eventOfPage(id, { id: 'cs_other', payment_intent: 'pi_other' }),
  ],
])('the report that %s changes nothing of a payment that was received by hand', async (_what, tell) => {
  const { client, id } = await givenReceived()
  expect((await paid.tell(tell(id))).status).toBe(200)
  expect([(await listOf(client)).length, await paid.balanceOf(client)]).toEqual([1, '50.00'])
})

test('a bank debit from before an administrator received other money counts as unexpected money', async () => {
  const client = await paid.app.newClient()
  const { id } = await paid.ask(client, 50)
  await paid.tell(eventOfPage(id, { payment_status: 'unpaid' }))
  await decide(id, 'receive')
  await paid.tell(eventOfPage(id, {}, 'async_payment_succeeded'))
  expect([(await listOf(client)).map(({ status }) => status), await paid.balanceOf(client)]).toEqual([
    ['pending', 'received'],
    '50.00',
  ])
})

test('unexpected money in another currency is received with dollars that an administrator enters, or rejected', async () => {
  const { client, id } = await givenReceived()
  await paid.tell(eventOfPage(id, { currency: 'eur' }))
  const [other] = await listOf(client)
  expect(other).toMatchObject({ status: 'pending', failure: expect.stringContaining('50.00 EUR') as unknown })
  const cancelled = await paid.app.call('POST', `/api/v1/payments/${other?.id}/cancel`, {
    token: client.token,
  })
  expect([cancelled.status, (await decide(other?.id ?? '', 'receive')).status]).toEqual([409, 422])
  expect((await decide(other?.id ?? '', 'reject', { note: 'The same money' })).status).toBe(200)
  await paid.tell(eventOfPage(id, { currency: 'eur' }))
  expect([(await listOf(client)).length, await paid.balanceOf(client)]).toEqual([2, '50.00'])
})

test('a second intent of a received payment is unexpected money, in any order of events and at once', async () => {
  const client = await paid.app.newClient()
  const { id } = await paid.ask(client, 50)
  await paid.tell(eventOfPage(id))
  const second = intentOf(id, `pi_second_${id}`)
  await Promise.all([
    paid.tell(eventOf('payment_intent.succeeded', second)),
    paid.tell(eventOfPage(id, { payment_intent: second.id })),
    paid.tell(eventOfPage(id)),
  ])
  expect([(await listOf(client)).map(({ status }) => status), await paid.balanceOf(client)]).toEqual([
    ['pending', 'received'],
    '50.00',
  ])
})

test('a refund of unexpected money, reported before that money, is not taken off the received payment', async () => {
  const { client, id } = await givenReceived()
  await paid.tell(
    eventOf('charge.refunded', {
      id: `ch_${id}`,
      amount_refunded: 5000,
      currency: 'usd',
      payment_intent: `pi_${id}`,
      metadata: { payment_id: id },
    }),
  )
  expect(await paid.balanceOf(client)).toBe('50.00')
  await paid.tell(eventOfPage(id))
  const [other] = await listOf(client)
  await decide(other?.id ?? '', 'receive')
  expect([await paid.balanceOf(client), (await paid.find(client, other?.id ?? '')).taken_back]).toEqual([
    '50.00',
    '50.00',
  ])
})

test.each([
  ['of a charge that nobody knows', { charge: 'ch_none', payment_intent: 'pi_none' }],
  ['without an intent', { charge: 'ch_alone', payment_intent: null }],
  ['without a charge', { charge: null }],
  ['of a negative amount', { charge: 'ch_minus', amount: -1 }],
  ['that only waits', { charge: 'ch_waits', status: 'requires_action' }],
])('a failed refund %s is answered, and changes nothing', async (_what, fields) => {
  const client = await paid.app.newClient()
  const { id } = await paid.ask(client, 50)
  await paid.tell(eventOfPage(id))
  const refund = {
    id: `re_${id}`,
    amount: 5000,
    currency: 'usd',
    status: 'failed',
    payment_intent: `pi_${id}`,
    ...fields,
  }
  expect((await paid.tell(eventOf('refund.failed', refund))).status).toBe(200)
  expect([await paid.balanceOf(client), (await paid.ledgerOf(client)).length]).toEqual(['50.00', 1])
})

test('a failed refund is put back even if the provider names only its charge', async () => {
  const client = await paid.app.newClient()
  const { id } = await paid.ask(client, 50)
  await paid.tell(eventOfPage(id))
  for (const [cents, payment_intent] of [
    [1000, `pi_${id}`],
    [3000, null],
  ] as const)
    await paid.tell(refundOf(id, cents, { id: `ch_${cents}_${id}`, payment_intent }))
  expect(await paid.balanceOf(client)).toBe('10.00')
  for (const amount of [1000, 3000]) {
    const refund = { id: `re_${amount}_${id}`, charge: `ch_${amount}_${id}`, amount, status: 'failed' }
    await paid.tell(eventOf('refund.failed', { ...refund, payment_intent: null }, { created: 4_000_000_000 }))
  }
  expect(await paid.balanceOf(client)).toBe('50.00')
})

test('a failed refund is put back even if it is reported at the same moment as the refund', async () => {
  const client = await paid.app.newClient()
  const { id } = await paid.ask(client, 50)
  await paid.tell(eventOfPage(id))
  const charge = `ch_${id}`
  const told = { id: charge, kind: 'refund', state: 'paid_back', amount: 2000, currency: 'usd' } as const
  const refund = { id: `re_${id}`, charge, amount: 2000, status: 'failed', payment_intent: null }
  const [failed] = await beginInTheWayOf(
    paid.app.context.db,
    (trx) =>
      takeReversal(trx, { ...told, at: Date.now(), intent: `pi_${id}`, payment_id: null, due_by: null }),
    [() => paid.tell(eventOf('refund.failed', refund, { created: 4_000_000_000 }))],
  )
  expect([failed?.status, await paid.balanceOf(client)]).toEqual(['fulfilled', '50.00'])
})

/** The provider's event about a refund or its failure has the payment intent or lacks it. */
const NAMES = ['an intent', 'no intent'] as const
const refundEvent = (id: string, name: (typeof NAMES)[number], cents = 2000) =>
  refundOf(id, cents, { payment_intent: name === 'no intent' ? null : `pi_${id}`, metadata: {} })
const failureEvent = (id: string, name: (typeof NAMES)[number]) => {
  const refund = { id: `re_${id}`, charge: `ch_${id}`, amount: 2000, status: 'failed' }
  const payment_intent = name === 'no intent' ? null : `pi_${id}`
  return eventOf('refund.failed', { ...refund, payment_intent }, { created: 4_000_000_000 })
}

test.each(NAMES.flatMap((refund) => NAMES.map((failure) => [refund, failure] as const)))(
  'before the payment, a refund with %s and its failure with %s may arrive in any order',
  async (refund, failure) => {
    for (const isReversed of [false, true]) {
      const client = await paid.app.newClient()
      const { id } = await paid.ask(client, 50)
      const told = [refundEvent(id, refund, 3000), failureEvent(id, failure)]
      for (const event of isReversed ? told.toReversed() : told) await paid.tell(event)
      await paid.tell(eventOfPage(id))
      // Without the payment's intent, no event says that the money went back.
      const isNamed = refund === 'an intent' || failure === 'an intent'
      expect(await paid.balanceOf(client)).toBe(isNamed ? '40.00' : '50.00')
    }
  },
)

test('a failed refund of a payment that was received by hand is put back, whichever intent the failure names', async () => {
  const { client, id } = await givenReceived()
  await paid.tell(refundOf(id, 2000, { payment_intent: null }))
  expect(await paid.balanceOf(client)).toBe('30.00')
  await paid.tell(failureEvent(id, 'an intent'))
  expect(await paid.balanceOf(client)).toBe('50.00')
})

test.each(['the payment', 'the failure'])(
  'a failure that names only its charge is not lost if %s arrives first, in the same moment',
  async (first) => {
    const client = await paid.app.newClient()
    const { id } = await paid.ask(client, 50)
    await paid.tell(refundEvent(id, 'an intent'))
    const page = { id: `cs_test_${id}`, client_reference_id: id, amount_total: 5000, currency: 'usd' }
    const refund = { id: `re_${id}`, charge: `ch_${id}`, intent: null, amount: 2000, at: Date.now() + 60_000 }
    await beginInTheWayOf(
      paid.app.context.db,
      (trx) =>
        first === 'the failure'
          ? takeFailedRefund(trx, refund)
          : takePageEvent(trx, 'checkout.session.completed', {
              ...page,
              payment_status: 'paid',
              payment_intent: `pi_${id}`,
            }),
      [() => paid.tell(first === 'the failure' ? eventOfPage(id) : failureEvent(id, 'no intent'))],
    )
    expect(await paid.balanceOf(client)).toBe('50.00')
  },
)

test('a dispute that first names no intent is taken off the payment that it names later', async () => {
  const client = await paid.app.newClient()
  const { id } = await paid.ask(client, 50)
  await paid.tell(disputeOf(id, 'needs_response', 'created', { payment_intent: null }))
  await paid.tell(disputeOf(id, 'under_review', 'updated'))
  await paid.tell(eventOfPage(id))
  expect(await paid.balanceOf(client)).toBe('0.00')
})

test('a bank inquiry in another currency causes no warning', async () => {
  const client = await paid.app.newClient()
  const { id } = await paid.ask(client, 50)
  await paid.tell(eventOfPage(id))
  const dispute = { id: `du_${id}`, amount: 5000, currency: 'gbp', payment_intent: `pi_${id}` }
  await paid.tell(eventOf('charge.dispute.created', { ...dispute, status: 'warning_needs_response' }))
  expect(await paid.find(client, id)).toMatchObject({ failure: null, dispute: null })
})

test('an erased account is paid out at most its balance, even by two administrators at once', async () => {
  const { client, id } = await givenReceived()
  const { db } = paid.app.context
  await db.transaction().execute((trx) => eraseAccount(trx, client.id, paid.app.admin.id))
  const payOut = async () => {
    const body = { amount: '50', method: 'bank_transfer', reference: '7', note: 'Wire' }
    const path = `/api/v1/admin/clients/${client.id}/pay-out`
    return (await paid.app.call('POST', path, { token: paid.app.admin.token, body })).status
  }
  expect((await Promise.all([payOut(), payOut(), payOut()])).toSorted((a, b) => a - b)).toEqual([
    201, 409, 409,
  ])
  // A client who is paid back at the provider as well is credited again.
  await paid.tell(
    eventOf('charge.refunded', {
      id: `ch_${id}`,
      amount_refunded: 5000,
      currency: 'usd',
      payment_intent: null,
      metadata: { payment_id: id },
    }),
  )
  const { rows } = await sql`select balance from profiles where user_id = ${client.id}`.execute(db)
  expect(rows).toEqual([{ balance: '-50.00' }])
})

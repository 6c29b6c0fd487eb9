import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { paymentComparisonSchema } from '#core/contract/market/money/payment-difference.ts'
import { adminPaymentSchema, paymentSchema } from '#core/contract/market/money/payment.ts'
import { insertCharge } from '#core/data/market/payments/charges.ts'
import { UNKNOWN_OUTCOME } from '#core/domain/market/payments/say-recharge.ts'
import { eventOfIntent, eventOfPage as eventOf } from './payment-event.ts'
import { openPaidApp } from './open-paid-app.ts'

const paid = openPaidApp()
const { ask, balanceOf, find, tell } = paid

describe('an event', () => {
  test('of a paid page is credited once, however often and under whatever id it arrives', async () => {
    const client = await paid.app.newClient()
    const { id } = await ask(client, 50)
    const body = eventOf(id)
    const answers = await Promise.all([tell(body), tell(body), tell(eventOf(id)), tell(body)])
    expect(answers.map(({ status, json }) => [status, json])).toEqual(
      answers.map(() => [200, { received: true }]),
    )
    await tell(eventOf(id, {}, 'async_payment_succeeded'))
    const { json } = await paid.app.call('GET', '/api/v1/ledger', { token: client.token })
    expect([await balanceOf(client), json.data.length]).toEqual(['50.00', 1])
    const received = await paid.app.call('POST', `/api/v1/admin/payments/${id}/receive`, {
      token: paid.app.admin.token,
      body: {},
    })
    expect([received.status, await balanceOf(client)]).toEqual([409, '50.00'])
  })

  test('with one id counts once, even if it names several payments', async () => {
    const client = await paid.app.newClient()
    const [one, other] = [await ask(client, 50), await ask(client, 50)]
    await tell(eventOf(one.id, {}, 'completed', 'evt_of_two'))
    await tell(eventOf(other.id, {}, 'completed', 'evt_of_two'))
    expect([(await find(client, one.id)).status, (await find(client, other.id)).status]).toEqual([
      'received',
      'pending',
    ])
    await tell(eventOf(other.id))
    expect(await balanceOf(client)).toBe('100.00')
  })

  test('whose amount is not a whole number of cents is not credited', async () => {
    const client = await paid.app.newClient()
    const { id } = await ask(client, 50)
    for (const amount_total of [50.5, '5000', -5000, 1e21]) await tell(eventOf(id, { amount_total }))
    expect([(await find(client, id)).status, await balanceOf(client)]).toEqual(['pending', '0.00'])
  })

  test('that arrives out of order leaves the right status', async () => {
    const client = await paid.app.newClient()
    const { id } = await ask(client, 50)
    await tell(eventOf(id, { payment_status: 'unpaid' }))
    expect((await find(client, id)).status).toBe('pending')
    await tell(eventOf(id, {}, 'expired'))
    expect(await find(client, id)).toMatchObject({
      status: 'failed',
      failure: 'The payment page has expired',
    })
    await tell(eventOf(id, {}, 'async_payment_succeeded'))
    await tell(eventOf(id, {}, 'async_payment_failed'))
    await tell(eventOf(id, {}, 'expired'))
    expect(await find(client, id)).toMatchObject({ status: 'received', failure: null })
    expect(await balanceOf(client)).toBe('50.00')
  })

  test.each([
    ['less', { amount_total: 4999 }, 'The provider reports 49.99 USD, not 50.00 USD.'],
    ['more', { amount_total: 500_000 }, 'The provider reports 5000.00 USD, not 50.00 USD.'],
    ['another currency', { currency: 'eur' }, 'The provider reports 50.00 EUR, not 50.00 USD.'],
    ['no amount', { amount_total: null }, 'The provider reports no amount USD, not 50.00 USD.'],
  ])(
    'of %s than requested is not credited, but waits for an administrator',
    async (_what, session, failure) => {
      const client = await paid.app.newClient()
      const { id } = await ask(client, 50)
      await tell(eventOf(id, session))
      const flagged = await find(client, id)
      expect(flagged.status).toBe('pending')
      expect(flagged.failure).toContain(failure)
      expect(await balanceOf(client)).toBe('0.00')
      const cancelled = await paid.app.call('POST', `/api/v1/payments/${id}/cancel`, { token: client.token })
      await tell(eventOf(id, {}, 'expired'))
      expect([cancelled.status, (await find(client, id)).status]).toEqual([409, 'pending'])
    },
  )

  test('with another amount is received with that amount, or with the one that an administrator enters', async () => {
    const client = await paid.app.newClient()
    const receive = (id: string, body: object) =>
      paid.app.call('POST', `/api/v1/admin/payments/${id}/receive`, { token: paid.app.admin.token, body })
    const less = (await ask(client, 100)).id
    await tell(eventOf(less))
    const listed = await paid.app.call('GET', '/api/v1/admin/payments?status=pending', {
      token: paid.app.admin.token,
    })
    expect(
      listed.json.data.map((row) => adminPaymentSchema.parse(row)).find((row) => row.id === less),
    ).toMatchObject({
      amount: '100.00',
      told_amount: '50.00',
    })
    expect((await receive(less, {})).json).toMatchObject({ amount: '50.00', asked_amount: '100.00' })
    const euros = (await ask(client, 60)).id
    await tell(eventOf(euros, { currency: 'eur' }))
    expect((await receive(euros, {})).json.errors).toEqual([
      { path: 'amount', message: 'Say how much came in' },
    ])
    expect((await receive(euros, { amount: '54.20', note: 'At the rate of the day' })).status).toBe(200)
    expect(await balanceOf(client)).toBe('104.20')
  })

  test.each([
    ['somebody else’s payment link', { id: 'cs_of_a_link', metadata: {} }],
    ['a page without metadata', { id: 'cs_of_a_link', metadata: null }],
    [
      'a page of another payment',
      { id: 'cs_other', metadata: { payment_id: '01900000-0000-7000-8000-00000000dead' } },
    ],
  ])('of %s credits nothing, whatever reference the payer wrote', async (_what, session) => {
    const client = await paid.app.newClient()
    const { id } = await ask(client, 50)
    for (const type of ['completed', 'async_payment_succeeded', 'async_payment_failed', 'expired'])
      expect((await tell(eventOf(id, { ...session, payment_intent: 'pi_of_a_link' }, type))).status).toBe(200)
    expect([(await find(client, id)).status, await balanceOf(client)]).toEqual(['pending', '0.00'])
    await tell(eventOf(id))
    expect(await balanceOf(client)).toBe('50.00')
  })

  test('of a page whose name was lost with the answer is credited by our own reference on it', async () => {
    const client = await paid.app.newClient()
    paid.provider.answerWith('reset')
    const lost = await paid.app.call('POST', '/api/v1/payments', {
      token: client.token,
      body: { amount: 50 },
    })
    paid.provider.recover()
    expect(lost.status).toBe(503)
    const { json } = await paid.app.call('GET', '/api/v1/payments', { token: client.token })
    const id = json.data[0]?.id ?? ''
    await tell(eventOf(id, { id: 'cs_unheard', metadata: { payment_id: id } }))
    expect(await balanceOf(client)).toBe('50.00')
  })

  test('of a page that is paid after an administrator received its payment waits as a separate payment', async () => {
    const client = await paid.app.newClient()
    const { id } = await ask(client, 50)
    const decide = (payment: string, how: string, body: object = {}) =>
      paid.app.call('POST', `/api/v1/admin/payments/${payment}/${how}`, { token: paid.app.admin.token, body })
    expect((await decide(id, 'receive', { note: 'By wire' })).status).toBe(200)
    const intent = {
      id: `pi_${id}`,
      status: 'succeeded',
      amount_received: 5000,
      currency: 'usd',
      metadata: { payment_id: id },
    }
    const body = JSON.stringify({
      id: `evt_intent_${id}`,
      type: 'payment_intent.succeeded',
      data: { object: intent },
    })
    await Promise.all([tell(eventOf(id)), tell(body), tell(eventOf(id))])
    const { json } = await paid.app.call('GET', '/api/v1/payments', { token: client.token })
    const [other, first] = json.data.map((row) => paymentSchema.parse(row))
    expect([json.data.length, other, first?.status, await balanceOf(client)]).toMatchObject([
      2,
      {
        status: 'pending',
        amount: '50.00',
        failure:
          'The provider reports 50.00 USD for a payment that was received already. Nothing was credited for it; an administrator decides whether it is other money.',
      },
      'received',
      '50.00',
    ])
    expect((await decide(other?.id ?? '', 'receive')).status).toBe(200)
    expect(await balanceOf(client)).toBe('100.00')
    await tell(eventOf(id))
    expect(await balanceOf(client)).toBe('100.00')
    const refund = {
      id: `ch_${id}`,
      amount_refunded: 5000,
      currency: 'usd',
      payment_intent: `pi_${id}`,
      metadata: { payment_id: id },
    }
    await tell(JSON.stringify({ id: `evt_refund_${id}`, type: 'charge.refunded', data: { object: refund } }))
    expect([(await find(client, id)).taken_back, (await find(client, other?.id ?? '')).taken_back]).toEqual([
      '0.00',
      '50.00',
    ])
  })

  test.each([
    ['an event of another kind', JSON.stringify({ id: 'evt_a', type: 'invoice.paid', data: { object: {} } })],
    ['a page of nobody’s', eventOf('01900000-0000-7000-8000-00000000dead')],
    ['a page of somebody else’s', eventOf('order-7')],
    ['a kind of page event to come', eventOf('01900000-0000-7000-8000-00000000dead', {}, 'renamed')],
  ])('that does not concern us is answered 200: %s', async (_what, body) => {
    expect((await tell(body)).json).toEqual({ received: true })
  })

  test.each(['{}', '[]', 'null', '{"id":"","type":"x","data":{}}', '{"id":7,"type":"x","data":{}}'])(
    'that is invalid is refused although it is signed: %s',
    async (body) => {
      expect((await tell(body)).status).toBe(422)
    },
  )

  test('that is forged, changed, replayed after days or signed with another secret is refused', async () => {
    const client = await paid.app.newClient()
    const { id } = await ask(client, 50)
    const body = eventOf(id)
    const days = Math.floor(Date.now() / 1000) - 3 * 86_400
    const signatures = [
      '',
      't=1,v1=00',
      paid.provider.sign(body, { secret: 'whsec_of_somebody_else' }),
      paid.provider.sign(body.replace('5000', '5001')),
      paid.provider.sign(`${body} `),
      paid.provider.sign(body, { at: days }),
    ]
    for (const signature of signatures) {
      const { status, json } = await tell(body, signature)
      expect([status, json.code]).toEqual([400, 'invalid_signature'])
    }
    // A byte order mark is a byte too.
    expect((await tell(`\ufeff${body}`, paid.provider.sign(body))).status).toBe(400)
    expect((await tell('{', paid.provider.sign('{'))).status).toBe(400)
    expect([(await find(client, id)).status, await balanceOf(client)]).toEqual(['pending', '0.00'])
    expect((await tell(body)).status).toBe(200)
    expect(await balanceOf(client)).toBe('50.00')
  })
})

test('only administrators see differences between payments and the provider’s records', async () => {
  const path = '/api/v1/admin/payment-differences'
  const { status, json } = await paid.app.call('GET', path, { token: paid.app.admin.token })
  expect([status, paymentComparisonSchema.parse(json)]).toMatchObject([
    200,
    { data: [], count: 0, is_configured: true, compared_at: null, failure: null },
  ])
  expect((await paid.app.call('GET', path, { token: (await paid.app.newClient()).token })).status).toBe(403)
})

test.each([
  ['named', 'pi', []],
  ['not named, and told as failed before', null, ['failed', 'reject']],
  ['not named, and told as failed since', null, ['reject', 'failed']],
] as const)(
  'the money of a charge that an administrator rejected without a result is credited when it arrives: %s',
  async (_what, intent, steps) => {
    const { client, id, decide } = await givenUnknown(intent)
    for (const step of steps.length === 0 ? ['reject'] : steps)
      if (step === 'reject') expect((await decide('reject')).status).toBe(200)
      else await paid.tell(eventOfIntent(id, {}, 'payment_failed'))
    expect((await paid.find(client, id)).status).toBe('failed')
    await paid.tell(eventOfIntent(id))
    expect([(await paid.find(client, id)).status, await paid.balanceOf(client)]).toEqual([
      'received',
      '50.00',
    ])
  },
)

test('a failed attempt does not name a charge that an administrator has received, so its money is unexpected', async () => {
  const { client, id, decide } = await givenUnknown(null)
  expect((await decide('receive')).status).toBe(200)
  await paid.tell(eventOfIntent(id, {}, 'payment_failed'))
  await paid.tell(eventOfIntent(id))
  const { json } = await paid.app.call('GET', '/api/v1/payments', { token: client.token })
  expect(json.data.map(({ status }) => status)).toEqual(['pending', 'received'])
  expect(await paid.balanceOf(client)).toBe('50.00')
})

/**
 * Creates a charge whose outcome the provider has not reported. @param intent its name, if the provider
 * reported that
 */
async function givenUnknown(intent: 'pi' | null) {
  const { db } = paid.app.context
  const client = await paid.app.newClient()
  await insertCharge(db, { client_user_id: client.id, amount: '50.00', customer: 'cus_1', method: 'pm_1' })
  const { rows } = await sql<{ id: string }>`
    update payments set failure = ${UNKNOWN_OUTCOME}, provider_intent_id = ${intent}::text || '_' || id
    where client_user_id = ${client.id} returning id`.execute(db)
  const id = rows[0]?.id ?? ''
  const decide = (how: 'receive' | 'reject') => {
    const path = `/api/v1/admin/payments/${id}/${how}`
    return paid.app.call('POST', path, {
      token: paid.app.admin.token,
      body: { note: 'Looked at', ...(how === 'receive' && { amount: '50' }) },
    })
  }
  return { client, id, decide }
}

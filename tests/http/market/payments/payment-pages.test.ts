import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { paymentSchema } from '#core/contract/market/money/payment.ts'
import { endAtProvider } from '#core/use-cases/market/money/end-at-provider.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { formOf } from '#tests/support/peers/payment-server.ts'
import { eventOfPage as eventOf } from './payment-event.ts'
import { openPaidApp } from './open-paid-app.ts'

const paid = openPaidApp()
const { ask, balanceOf, find, tell } = paid

describe('a payment page', () => {
  test('is opened for the payment, in cents, under its id', async () => {
    const payment = await ask(await paid.app.newClient(), 250.5)
    expect(payment).toMatchObject({
      method: 'checkout',
      status: 'pending',
      checkout_url: `${paid.provider.url}/pay/cs_test_${payment.id}`,
    })
    const asked = paid.provider.requests.at(-1)
    expect(asked).toMatchObject({
      method: 'POST',
      path: '/v1/checkout/sessions',
      headers: {
        authorization: 'Bearer sk_test_example',
        'idempotency-key': payment.id,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    expect(formOf(asked ?? { body: '' })).toMatchObject({
      mode: 'payment',
      client_reference_id: payment.id,
      'line_items[0][price_data][unit_amount]': '25050',
      'line_items[0][price_data][currency]': 'usd',
      success_url: `${paid.app.url}/settings?tab=billing&payment=${payment.id}`,
    })
    expect(asked?.body).not.toContain('example.com')
  })

  test('that cannot be opened is a 503, and the same key tries again for the same payment', async () => {
    const client = await paid.app.newClient()
    const headers = { 'Idempotency-Key': 'page-1' }
    paid.provider.failWith(500)
    const body = { amount: 50 }
    const failed = await paid.app.call('POST', '/api/v1/payments', { token: client.token, body, headers })
    expect([failed.status, failed.json.code]).toEqual([503, 'unavailable'])
    expect(failed.text).not.toContain('sk_test')
    const { json } = await paid.app.call('GET', '/api/v1/payments', { token: client.token })
    expect(json.data).toMatchObject([{ status: 'failed', failure: 'The payment page could not be opened' }])
    paid.provider.recover()
    const payment = await ask(client, 50, headers)
    expect(payment).toMatchObject({ id: json.data[0]?.id, status: 'pending', failure: null })
    const asked = paid.provider.requests.length
    expect((await ask(client, 50, headers)).checkout_url).toBe(payment.checkout_url)
    expect(paid.provider.requests).toHaveLength(asked)
  })

  test('is closed when its payment is cancelled, and a client who still pays is credited', async () => {
    const client = await paid.app.newClient()
    const { id } = await ask(client, 50)
    const cancel = () => paid.app.call('POST', `/api/v1/payments/${id}/cancel`, { token: client.token })
    expect((await cancel()).json).toMatchObject({ status: 'cancelled', checkout_url: null })
    expect(paid.provider.requests.at(-1)?.path).toBe(`/v1/checkout/sessions/cs_test_${id}/expire`)
    await tell(eventOf(id))
    expect([(await find(client, id)).status, await balanceOf(client)]).toEqual(['received', '50.00'])
    expect((await cancel()).status).toBe(409)
  })

  test.each(['receive', 'reject'])(
    'is closed if an administrator decides to %s its payment',
    async (decision) => {
      const client = await paid.app.newClient()
      const { id } = await ask(client, 50)
      const decide = () =>
        paid.app.call('POST', `/api/v1/admin/payments/${id}/${decision}`, {
          token: paid.app.admin.token,
          body: {},
        })
      paid.provider.failWith(400)
      expect((await decide()).status).toBe(200)
      paid.provider.recover()
      expect(paid.provider.requests.at(-1)?.path).toBe(`/v1/checkout/sessions/cs_test_${id}/expire`)
      const asked = paid.provider.requests.length
      expect((await decide()).status).toBe(409)
      const flagged = await ask(client, 50)
      await tell(eventOf(flagged.id, { amount_total: 4000 }))
      await paid.app.call('POST', `/api/v1/admin/payments/${flagged.id}/${decision}`, {
        token: paid.app.admin.token,
        body: {},
      })
      expect(paid.provider.requests).toHaveLength(asked + 1)
    },
  )

  test.each(['cancel', 'receive', 'reject'])(
    'that the provider cannot close does not prevent a request to %s, and is closed later',
    async (how) => {
      const client = await paid.app.newClient()
      const { id } = await ask(client, 50)
      paid.provider.failWith(503)
      const decided =
        how === 'cancel'
          ? await paid.app.call('POST', `/api/v1/payments/${id}/cancel`, { token: client.token })
          : await paid.app.call('POST', `/api/v1/admin/payments/${id}/${how}`, {
              token: paid.app.admin.token,
              body: {},
            })
      expect(decided.status).toBe(200)
      paid.provider.recover()
      expect(paid.provider.pages.get(`cs_test_${id}`)).toBe('open')
      await sql`update payment_provider_ends set due_at = now()`.execute(paid.app.context.db)
      await endAtProvider(paid.app.context)
      expect(paid.provider.pages.get(`cs_test_${id}`)).toBe('expired')
    },
  )

  test('that opens while its payment is cancelled is closed again', async () => {
    const client = await paid.app.newClient()
    const opened = Promise.withResolvers<undefined>()
    const from = paid.provider.requests.length
    const headers = { 'content-type': 'application/json' }
    paid.provider.answerWith(({ headers: { 'idempotency-key': key } }) => {
      const body = JSON.stringify({ id: `cs_test_${String(key)}`, url: `${paid.provider.url}/pay` })
      paid.provider.pages.set(`cs_test_${String(key)}`, 'open')
      return { status: 200, headers, body, after: opened.promise }
    })
    const asking = paid.app.call('POST', '/api/v1/payments', { token: client.token, body: { amount: 50 } })
    await waitUntil(() => paid.provider.requests.length > from, { what: 'The page being opened' })
    const { db } = paid.app.context
    await sql`
      update payments set status = 'cancelled' where client_user_id = ${client.id}`.execute(db)
    paid.provider.recover()
    opened.resolve(undefined)
    const json = paymentSchema.parse((await asking).json)
    expect([json.status, json.checkout_url, paid.provider.pages.get(`cs_test_${json.id}`)]).toEqual([
      'cancelled',
      null,
      'expired',
    ])
  })
})

test('an erased account is credited nothing: its payment is cancelled, and money waits for an administrator', async () => {
  const client = await paid.app.newClient()
  const { id } = await ask(client, 50)
  const order = { name: 'A', lead_type: 'final_expense', timezone: 'America/New_York' }
  await paid.app.call('POST', '/api/v1/orders', { token: client.token, body: order })
  const { db } = paid.app.context
  await sql`update orders set paused_by = null where client_user_id = ${client.id}`.execute(db)
  await db.transaction().execute((trx) => eraseAccount(trx, client.id, paid.app.admin.id))
  const stored = async () => {
    const { rows } = await sql`
      select t.status, t.failure, p.balance from payments t join profiles p on p.user_id = t.client_user_id
      where t.id = ${id}`.execute(db)
    return rows[0]
  }
  expect(await stored()).toEqual({ status: 'cancelled', failure: null, balance: '0.00' })
  expect((await tell(eventOf(id))).status).toBe(200)
  const flagged = {
    status: 'pending',
    failure: 'The money came after the account was erased. Nothing was credited; an administrator decides.',
    balance: '0.00',
  }
  expect(await stored()).toEqual(flagged)
  const admin = (method: string, path: string, body?: object) =>
    paid.app.call(method, `/api/v1/admin/${path}`, { token: paid.app.admin.token, body })
  expect((await admin('POST', `payments/${id}/receive`, {})).status).toBe(409)
  const adjusted = await admin('POST', `clients/${client.id}/adjust`, { amount: '10', note: 'Test' })
  expect([adjusted.status, await stored()]).toEqual([409, flagged])
  const seen = (await admin('GET', `clients/${client.id}`)).json
  expect(seen).toMatchObject({ status: 'erased', orders: 1, orders_active: 0 })
  expect((await admin('POST', `payments/${id}/reject`, {})).status).toBe(200)
})

test('an administrator can pay out the balance of an erased account, and cannot add to it', async () => {
  const client = await paid.app.newClient()
  const { id } = await ask(client, 50)
  await tell(eventOf(id))
  const { db } = paid.app.context
  await db.transaction().execute((trx) => eraseAccount(trx, client.id, paid.app.admin.id))
  const post = async (what: string, body: object) => {
    const path = `/api/v1/admin/clients/${client.id}/${what}`
    return (await paid.app.call('POST', path, { token: paid.app.admin.token, body })).status
  }
  for (const amount of ['10', '-50']) expect(await post('adjust', { amount, note: 'Rest' })).toBe(409)
  const way = { method: 'bank_transfer', reference: '4711', note: 'Account closed' }
  expect(await post('pay-out', { ...way, amount: '50.01' })).toBe(409)
  expect(await post('pay-out', { ...way, amount: '50', note: '' })).toBe(422)
  expect(await post('pay-out', { ...way, amount: '50' })).toBe(201)
  expect(await post('pay-out', { ...way, amount: '0.01' })).toBe(409)
  const { rows } = await sql`
    select p.balance, e.entry_type, e.amount, e.note, e.created_by, l.action, l.details, l.actor_id
    from profiles p join balance_ledger e on e.client_user_id = p.user_id and e.amount < 0
    join auth.audit_log l on l.user_id = p.user_id and l.action like 'balance%' where p.user_id = ${client.id}`.execute(
    db,
  )
  expect(rows).toEqual([
    {
      balance: '0.00',
      entry_type: 'refund_out',
      amount: '-50.00',
      note: 'By bank transfer, reference 4711: Account closed',
      created_by: paid.app.admin.id,
      action: 'balance_paid_out',
      details: { amount: '-50.00', ...way },
      actor_id: paid.app.admin.id,
    },
  ])
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { claimCharge, insertCharge } from '#core/data/market/payments/charges.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { accountCalls, AMOUNTS } from './account-calls.ts'
import { eventOf, eventOfIntent } from './payment-event.ts'
import { openPaidApp } from './open-paid-app.ts'

const paid = openPaidApp()
const { accountOf, call, keepCard, patchAccount: patch } = accountCalls(paid)

test('auto-recharge is offered once a card is kept, and the agreement is stored word for word with client and time', async () => {
  const client = await paid.app.newClient()
  const refused = await patch(client, { auto_recharge_enabled: true, ...AMOUNTS })
  expect([refused.status, refused.json.errors]).toEqual([
    422,
    [
      {
        path: 'auto_recharge_enabled',
        message: 'Let a card be kept first: add funds and choose to keep it',
      },
    ],
  ])
  await keepCard(client)
  expect((await accountOf(client)).auto_recharge_enabled).toBe(false)
  await patch(client, { auto_recharge_enabled: true, ...AMOUNTS })
  const { auto_recharge_enabled: isOn, auto_recharge_agreed_at: agreedAt } = await accountOf(client)
  expect([isOn, agreedAt === null]).toEqual([true, false])
  await patch(client, { npn: '7' })
  await patch(client, { auto_recharge_amount: '300' })
  const { rows } = await sql`
    select terms, amount, agreed_by from auto_recharge_agreements where client_user_id = ${client.id} order by agreed_at`.execute(
    paid.app.context.db,
  )
  expect(rows).toMatchObject([
    {
      terms:
        'I agree that, whenever my balance is below $100.00 or no longer pays for a lead that I have ordered, $250.00 are charged to my Visa ending in 4242 and added to it, at most $1,000.00 in a calendar month. I can switch this off at any time.',
      amount: '250.00',
      agreed_by: client.id,
    },
    { amount: '300.00' },
  ])
  const without = await patch(client, { auto_recharge_amount: null })
  expect(without.json.errors).toEqual([
    { path: 'auto_recharge_amount', message: 'Is needed for the auto-recharge' },
  ])
})

test('a new agreement keeps failures and waits, even with other amounts, but another card clears them', async () => {
  const { db } = paid.app.context
  const client = await paid.app.newClient()
  await keepCard(client)
  const failing = async () => {
    const { rows } = await sql<{ failures: number; waits: boolean; is_on: boolean }>`
      select auto_recharge_failures as failures, auto_recharge_not_before > now() is true as waits,
        auto_recharge_enabled as is_on from client_accounts where user_id = ${client.id}`.execute(db)
    return rows[0]
  }
  const fail = async () => {
    await insertCharge(db, { client_user_id: client.id, amount: '250.00', customer: 'cus_1', method: 'pm_1' })
    const { rows } = await sql<{ id: string }>`
      select id from payments where client_user_id = ${client.id} and kind = 'auto_recharge' and status = 'pending'`.execute(
      db,
    )
    await paid.tell(eventOfIntent(rows[0]?.id ?? '', {}, 'payment_failed'))
  }
  const switchOn = async (amounts: object = {}) => {
    await patch(client, { auto_recharge_enabled: false })
    await patch(client, { auto_recharge_enabled: true, ...amounts })
    return await failing()
  }
  await switchOn(AMOUNTS)
  await fail()
  expect(await switchOn(AMOUNTS)).toEqual({ failures: 1, waits: true, is_on: true })
  await fail()
  expect(await failing()).toEqual({ failures: 2, waits: true, is_on: false })
  expect(await switchOn()).toEqual({ failures: 2, waits: true, is_on: true })
  expect(await switchOn({ auto_recharge_amount: '300' })).toEqual({ failures: 2, waits: true, is_on: true })
  await fail()
  await keepCard(client)
  expect(await switchOn()).toEqual({ failures: 0, waits: false, is_on: true })
})

test('a removed card, a reversed payment and an erased account switch auto-recharge off', async () => {
  const [forgetful, disputing, erased] = await Promise.all([1, 2, 3].map(() => paid.app.newClient()))
  if (forgetful === undefined || disputing === undefined || erased === undefined) throw new Error('No client')
  const payments: string[] = []
  for (const client of [forgetful, disputing, erased]) {
    payments.push(await keepCard(client))
    await patch(client, { auto_recharge_enabled: true, ...AMOUNTS })
  }
  const forget = () => call(forgetful, 'DELETE', 'account/payment-method')
  expect((await forget()).json).toMatchObject({
    saved_method: null,
    auto_recharge_enabled: false,
    auto_recharge_stopped: 'The saved card was removed.',
  })
  expect(paid.provider.requests.at(-1)?.path).toBe(`/v1/payment_methods/pm_${payments[0]}/detach`)
  expect((await forget()).status).toBe(200)

  const dispute = { id: 'du_1', amount: 5000, currency: 'usd', payment_intent: `pi_${payments[1]}` }
  await paid.tell(eventOf('charge.dispute.created', { ...dispute, status: 'needs_response' }))
  expect(await accountOf(disputing)).toMatchObject({
    auto_recharge_enabled: false,
    auto_recharge_stopped: 'A payment went back to whoever paid it.',
  })

  const { db } = paid.app.context
  // This mail is always sent, also to clients without mails about payments.
  const { rows: mails } = await sql`
    select data->>'reason' as reason from mails where recipient_user_id = ${disputing.id} and template = 'recharge_stopped'`.execute(
    db,
  )
  expect(mails).toEqual([{ reason: 'A payment went back to whoever paid it.' }])
  await db.transaction().execute((trx) => eraseAccount(trx, erased.id, paid.app.admin.id))
  const { rows } = await sql`
    select a.auto_recharge_enabled, c.customer_id from client_accounts a
    left join payment_customers c on c.client_user_id = a.user_id where a.user_id = ${erased.id}`.execute(db)
  expect(rows).toEqual([{ auto_recharge_enabled: false, customer_id: null }])
})

test('an agreement is refused if its screen shows another card than the kept one', async () => {
  const client = await paid.app.newClient()
  await keepCard(client)
  await patch(client, AMOUNTS)
  const { version } = await accountOf(client)
  await keepCard(client)
  expect((await call(client, 'PATCH', 'account', { version, auto_recharge_enabled: true })).status).toBe(409)
  expect((await accountOf(client)).auto_recharge_enabled).toBe(false)
})

test('an agreement with earlier words stays as it is until a new agreement replaces it', async () => {
  const client = await paid.app.newClient()
  await keepCard(client)
  await patch(client, { auto_recharge_enabled: true, ...AMOUNTS })
  const { db } = paid.app.context
  await sql`
    update auto_recharge_agreements set terms = 'As an older server wrote it', covers_price = false, method_id = null
    where client_user_id = ${client.id}`.execute(db)
  await patch(client, { npn: '7' })
  expect((await accountOf(client)).auto_recharge_terms).toBe('As an older server wrote it')
  await patch(client, { auto_recharge_enabled: true })
  expect((await accountOf(client)).auto_recharge_terms).toContain('or no longer pays for a lead')
})

test('a charge in progress cannot be cancelled, and its event settles it once, whatever follows', async () => {
  const { db } = paid.app.context
  const client = await paid.app.newClient()
  const begun = { client_user_id: client.id, amount: '50.00', customer: 'cus_1', method: 'pm_1' }
  await insertCharge(db, begun)
  await insertCharge(db, begun)
  const charge = await claimCharge(db, 60)
  const id = charge?.id ?? ''
  expect(await claimCharge(db, 60)).toBeUndefined()
  expect((await call(client, 'POST', `payments/${id}/cancel`)).status).toBe(409)
  for (const how of ['receive', 'reject']) {
    const path = `/api/v1/admin/payments/${id}/${how}`
    expect((await paid.app.call('POST', path, { token: paid.app.admin.token, body: {} })).status).toBe(409)
  }
  await paid.tell(eventOfIntent(id, { amount_received: 4900 }))
  expect(await paid.find(client, id)).toMatchObject({
    status: 'pending',
    failure: 'The provider reports 49.00 USD, not 50.00 USD. Nothing was credited; an administrator decides.',
  })
  await paid.tell(eventOfIntent(id, {}, 'payment_failed'))
  const body = eventOfIntent(id)
  await Promise.all([paid.tell(body), paid.tell(body), paid.tell(eventOfIntent(id))])
  await paid.tell(eventOfIntent(id, {}, 'payment_failed'))
  expect(await paid.find(client, id)).toMatchObject({
    status: 'received',
    kind: 'auto_recharge',
    failure: null,
  })
  expect((await paid.ledgerOf(client)).map(({ entry_type, amount }) => [entry_type, amount])).toEqual([
    ['auto_recharge', '50.00'],
  ])
})

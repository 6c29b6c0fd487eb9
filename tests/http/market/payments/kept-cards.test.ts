import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { endAtProvider } from '#core/use-cases/market/money/end-at-provider.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { formOf } from '#tests/support/peers/payment-server.ts'
import { accountCalls, AMOUNTS } from './account-calls.ts'
import { eventOfIntent, eventOfPage } from './payment-event.ts'
import { openPaidApp } from './open-paid-app.ts'

const paid = openPaidApp()
const { accountOf, call, keepCard, patchAccount: patch } = accountCalls(paid)

test('a card is saved if the client asked for it, under a customer without any of the client’s data', async () => {
  const client = await paid.app.newClient()
  const plain = await paid.ask(client, 50)
  const from = paid.provider.requests.length
  await paid.tell(eventOfIntent(plain.id))
  await paid.tell(eventOfPage(plain.id))
  expect((await accountOf(client)).saved_method).toBeNull()

  await keepCard(client)
  const asked = paid.provider.requests.slice(from)
  expect(asked.map(({ path }) => path.split('/', 3).join('/'))).toEqual([
    '/v1/customers',
    '/v1/checkout',
    '/v1/payment_methods',
  ])
  expect(formOf(asked[1] ?? { body: '' })).toMatchObject({
    customer: `cus_customer-${client.id}`,
    'payment_intent_data[setup_future_usage]': 'off_session',
  })
  expect(JSON.stringify(asked)).not.toContain(client.email)
  expect((await accountOf(client)).saved_method).toBe('Visa ending in 4242')
  expect(await paid.balanceOf(client)).toBe('100.00')
})

test('another card needs a new agreement, and the provider removes the earlier card', async () => {
  const client = await paid.app.newClient()
  const first = await keepCard(client)
  await patch(client, { auto_recharge_enabled: true, ...AMOUNTS })
  const agreed = (await accountOf(client)).auto_recharge_terms
  expect(agreed).toContain('Visa ending in 4242')
  await keepCard(client)
  expect(await accountOf(client)).toMatchObject({
    saved_method: 'Visa ending in 4242',
    auto_recharge_enabled: false,
    auto_recharge_terms: null,
    auto_recharge_stopped: 'Another card is kept now. Agree to charge it, and the auto-recharge goes on.',
  })
  await endAtProvider(paid.app.context)
  expect(paid.provider.detached).toContain(`pm_${first}`)
  await patch(client, { auto_recharge_enabled: true })
  expect(await accountOf(client)).toMatchObject({ auto_recharge_terms: agreed, auto_recharge_stopped: null })
  const { rows } = await sql<{ method_id: string }>`
    select method_id from auto_recharge_agreements where client_user_id = ${client.id} order by agreed_at`.execute(
    paid.app.context.db,
  )
  expect(rows.map(({ method_id: method }) => method === `pm_${first}`)).toEqual([true, false])
})

test('the same card reported twice changes nothing', async () => {
  const client = await paid.app.newClient()
  const id = await keepCard(client)
  await patch(client, { auto_recharge_enabled: true, ...AMOUNTS })
  await paid.tell(eventOfIntent(id))
  expect((await accountOf(client)).auto_recharge_enabled).toBe(true)
  await endAtProvider(paid.app.context)
  expect(paid.provider.detached).not.toContain(`pm_${id}`)
})

test.each(['is kept already', 'is kept, and removed again'])(
  'a card that is reported late replaces nothing while a newer one %s, and the provider removes it',
  async (what) => {
    const client = await paid.app.newClient()
    const ask = async (): Promise<string> =>
      (await call(client, 'POST', 'payments', { amount: 50, save_method: true })).json.id
    const [late, newer] = [await ask(), await ask()]
    const now = Math.floor(Date.now() / 1000)
    const tell = (payment: string, secondsAgo: number) =>
      paid.tell(eventOfIntent(payment, {}, 'succeeded', now - secondsAgo))
    await tell(newer, 60)
    const isRemoved = what !== 'is kept already'
    if (isRemoved) await call(client, 'DELETE', 'account/payment-method')
    else await patch(client, { auto_recharge_enabled: true, ...AMOUNTS })
    await tell(late, 120)
    expect(await accountOf(client)).toMatchObject({
      saved_method: isRemoved ? null : 'Visa ending in 4242',
      auto_recharge_enabled: !isRemoved,
    })
    await endAtProvider(paid.app.context)
    expect(paid.provider.detached).toContain(`pm_${late}`)
    expect(paid.provider.detached.includes(`pm_${newer}`)).toBe(isRemoved)
    expect(await paid.balanceOf(client)).toBe('0.00')
  },
)

test('a card that was kept again is newer than another one that is reported late', async () => {
  const client = await paid.app.newClient()
  const now = Math.floor(Date.now() / 1000)
  const card = `pm_of_${client.id}`
  for (const [method, secondsAgo] of [
    [card, 100],
    [card, 10],
    ['pm_late', 50],
  ] as const) {
    const { json } = await call(client, 'POST', 'payments', { amount: 50, save_method: true })
    await paid.tell(eventOfIntent(json.id, { payment_method: method }, 'succeeded', now - secondsAgo))
  }
  await endAtProvider(paid.app.context)
  expect([paid.provider.detached.includes(card), paid.provider.detached.includes('pm_late')]).toEqual([
    false,
    true,
  ])
})

test.each(['was replaced', 'was told late', 'was removed'])(
  'a card that %s, and is kept again before the provider removed it, is not removed',
  async (what) => {
    const client = await paid.app.newClient()
    const now = Math.floor(Date.now() / 1000)
    const card = `pm_again_${client.id}`
    const keep = async (method: string, secondsAgo: number) => {
      const { json } = await call(client, 'POST', 'payments', { amount: 50, save_method: true })
      await paid.tell(eventOfIntent(json.id, { payment_method: method }, 'succeeded', now - secondsAgo))
    }
    if (what === 'was told late') await keep(`pm_other_${client.id}`, 50)
    await keep(card, 60)
    if (what === 'was replaced') await keep(`pm_other_${client.id}`, 50)
    if (what === 'was removed') {
      paid.provider.failWith(503)
      await call(client, 'DELETE', 'account/payment-method')
      paid.provider.recover()
    }
    await keep(card, -2)
    await sql`update payment_provider_ends set due_at = now()`.execute(paid.app.context.db)
    await endAtProvider(paid.app.context)
    expect(paid.provider.detached).not.toContain(card)
  },
)

test.each(['an administrator had received', 'was paid already'])(
  'a card is kept even if the money belongs to a payment that %s',
  async (what) => {
    const client = await paid.app.newClient()
    const { json } = await call(client, 'POST', 'payments', { amount: 50, save_method: true })
    if (what === 'was paid already') await paid.tell(eventOfPage(json.id))
    await paid.app.call('POST', `/api/v1/admin/payments/${json.id}/receive`, {
      token: paid.app.admin.token,
      body: {},
    })
    const card = `pm_other_${json.id}`
    await paid.tell(eventOfIntent(json.id, { id: `pi_other_${json.id}`, payment_method: card }))
    const { rows } =
      await sql`select method_id from payment_customers where client_user_id = ${client.id}`.execute(
        paid.app.context.db,
      )
    expect(rows).toEqual([{ method_id: card }])
  },
)

test('erasing a client closes the open payment page and removes the card, even one that is kept later', async () => {
  const client = await paid.app.newClient()
  const kept = await keepCard(client)
  const late = (await call(client, 'POST', 'payments', { amount: 50, save_method: true })).json.id
  const { context } = paid.app
  await context.db.transaction().execute((trx) => eraseAccount(trx, client.id, paid.app.admin.id))
  paid.provider.failWith(503)
  await endAtProvider(context)
  expect(paid.provider.pages.get(`cs_test_${late}`)).toBe('open')
  paid.provider.recover()
  await sql`update payment_provider_ends set due_at = now()`.execute(context.db)
  await endAtProvider(context)
  expect(paid.provider.pages.get(`cs_test_${late}`)).toBe('expired')
  expect(paid.provider.detached).toContain(`pm_${kept}`)
  await paid.tell(eventOfIntent(late))
  await endAtProvider(context)
  expect(paid.provider.detached).toContain(`pm_${late}`)
  const { rows } = await sql`
    select (select count(*)::int from payment_customers where client_user_id = ${client.id}) as kept,
      (select count(*)::int from payment_provider_ends) as waiting`.execute(context.db)
  expect(rows).toEqual([{ kept: 0, waiting: 0 }])
})

test('a client who is erased while the provider creates the customer leaves no name, and no page opens', async () => {
  const client = await paid.app.newClient()
  const { db } = paid.app.context
  const named = Promise.withResolvers<undefined>()
  const from = paid.provider.requests.length
  paid.provider.answerWith({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"id":"cus_late"}',
    after: named.promise,
  })
  const asking = call(client, 'POST', 'payments', { amount: 50, save_method: true })
  await paid.provider.waitForCount(from + 1)
  await db.transaction().execute((trx) => eraseAccount(trx, client.id, paid.app.admin.id))
  paid.provider.recover()
  named.resolve(undefined)
  expect((await asking).status).toBe(503)
  expect(paid.provider.requests.length).toBe(from + 1)
  const { rows } = await sql`
    select from payment_customers where client_user_id = ${client.id}`.execute(db)
  expect(rows).toEqual([])
})

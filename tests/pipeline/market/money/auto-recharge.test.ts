import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lookAtLowAccounts } from '#core/data/market/client-funding.ts'
import { findClientAccount } from '#core/data/market/client-accounts.ts'
import { settleCharge } from '#core/use-cases/market/money/settle-charge.ts'
import { givenOffers, givenOrder } from '#tests/support/given/market.ts'
import type { TestPipeline } from '#tests/support/given/pipeline.ts'
import type { PaymentServer } from '#tests/support/peers/payment-server.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { judgeFunding } from '#worker/housekeeping/market/judge-funding.ts'
import { startRecharging, type Recharging } from './start-recharging.ts'

let recharging: Recharging
let pipeline: TestPipeline
let provider: PaymentServer
beforeAll(async () => {
  recharging = await startRecharging()
  ;({ pipeline, provider } = recharging)
})
afterAll(() => recharging.close())
beforeEach(() => recharging.reset())

const signal = new AbortController().signal
const beat = () => recharging.beat()
const spend = (client: string, amount: string) => recharging.spend(client, amount)
const ledgerOf = (client: string) => recharging.ledgerOf(client)
const paymentsOf = (client: string) => recharging.paymentsOf(client)
const givenRecharged = (balance: string, fields?: { monthlyMax?: string }) =>
  recharging.givenRecharged(balance, fields)

test('a purchase that brings the balance below the threshold causes one charge, however often it is checked', async () => {
  const { db, context } = pipeline
  const client = await givenRecharged('60.00')
  await givenOrder(db, client)
  await beat()
  expect(provider.charges.size).toBe(0)
  await assignLeads(context.market, await givenOffers(db, [{}]))
  await beat()
  await beat()
  expect(await ledgerOf(client)).toEqual([['100.00', '135.00']])
  const [payment] = await paymentsOf(client)
  expect(payment).toMatchObject({ status: 'received', failure: null })
  expect([...provider.charges]).toMatchObject([
    [payment?.id, { cents: 10_000, customer: 'cus_1', method: 'pm_1' }],
  ])
  const { body, headers } = provider.requests.at(-1) ?? {}
  expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
    off_session: 'true',
    confirm: 'true',
  })
  expect(headers).toMatchObject({ 'idempotency-key': payment?.id, authorization: 'Bearer sk_test_example' })
})

test('a balance above the threshold that pays for no lead is recharged, also after a price has risen', async () => {
  const { db } = pipeline
  const [client, other] = [await givenRecharged('80.00'), await givenRecharged('80.00')]
  for (const one of [client, other])
    await sql`insert into orders (client_user_id, name, lead_type, timezone, price) values (${one}, 'A', 'final_expense', 'America/New_York', 25)`.execute(
      db,
    )
  await spend(client, '25')
  await spend(other, '25')
  await beat()
  expect(provider.charges.size).toBe(0)
  await sql`update orders set price = 60 where client_user_id = any(${[client, other]}::uuid[])`.execute(db)
  await sql`update auto_recharge_agreements set covers_price = false where client_user_id = ${other}`.execute(
    db,
  )
  await lookAtLowAccounts(db)
  await beat()
  expect([await ledgerOf(client), await ledgerOf(other)]).toEqual([[['100.00', '155.00']], []])
})

test.each(['client', 'admin'])(
  'the price of an order paused by %s causes no charge until the order is resumed',
  async (by) => {
    const { db } = pipeline
    const client = await givenRecharged('80.00')
    await sql`
      insert into orders (client_user_id, name, lead_type, timezone, price, paused_by)
      values (${client}, 'A', 'final_expense', 'America/New_York', 60, ${by})`.execute(db)
    await spend(client, '25')
    await lookAtLowAccounts(db)
    await beat()
    expect(await ledgerOf(client)).toEqual([])
    await sql`update orders set paused_by = null where client_user_id = ${client}`.execute(db)
    await lookAtLowAccounts(db)
    await beat()
    expect(await ledgerOf(client)).toEqual([['100.00', '155.00']])
  },
)

test('without a payment provider nothing is charged and the client is warned of low funds; with a provider the charge follows', async () => {
  const { db } = pipeline
  const [client, waiting] = [await givenRecharged('60.00'), await givenRecharged('60.00')]
  await spend(waiting, '20')
  await judgeFunding(pipeline.context, signal)
  await spend(client, '20')
  await spend(waiting, '1')
  await judgeFunding({ db, paymentProvider: undefined }, signal)
  expect(await paymentsOf(client)).toEqual([])
  expect((await paymentsOf(waiting)).map(({ status }) => status)).toEqual(['pending'])
  const { rows: told } = await sql<{ told: string }>`
    select told from client_funding where client_user_id = any(${[client, waiting]}::uuid[])`.execute(db)
  expect(told).toEqual([{ told: 'limited' }, { told: 'limited' }])
  await lookAtLowAccounts(db)
  await beat()
  expect([await ledgerOf(client), await ledgerOf(waiting)]).toEqual([
    [['100.00', '140.00']],
    [['100.00', '139.00']],
  ])
})

test('no more than the monthly maximum is charged; months begin in the account’s time zone', async () => {
  const client = await givenRecharged('60.00', { monthlyMax: '250.00' })
  for (const amount of ['20', '95', '95', '30']) {
    await spend(client, amount)
    await beat()
  }
  expect((await ledgerOf(client)).length).toBe(2)
  await lookAtLowAccounts(pipeline.db)
  await beat()
  expect((await ledgerOf(client)).length).toBe(2)
  // A month ago in every zone.
  await sql`update payments set created_at = created_at - interval '32 days' where client_user_id = ${client}`.execute(
    pipeline.db,
  )
  await lookAtLowAccounts(pipeline.db)
  await beat()
  expect((await ledgerOf(client)).length).toBe(3)
})

test('after a lost answer the provider is asked again with the same key, and the charge is credited once', async () => {
  const client = await givenRecharged('60.00')
  provider.chargeAs('lost')
  await spend(client, '20')
  await beat()
  expect((await paymentsOf(client)).map(({ status }) => status)).toEqual(['pending'])
  provider.failWith(500)
  await beat()
  provider.recover()
  await beat()
  expect([await ledgerOf(client), provider.charges.size]).toEqual([[['100.00', '140.00']], 1])
})

test('the provider’s event may arrive before the answer, or settle a charge that the first answer left open', async () => {
  const { db } = pipeline
  const client = await givenRecharged('60.00')
  provider.chargeAs('processing')
  await spend(client, '20')
  await beat()
  const [payment] = await paymentsOf(client)
  expect(payment?.status).toBe('pending')
  const id = payment?.id ?? ''
  const succeeded = { outcome: 'succeeded', intent: `pi_${id}`, cents: 10_000, currency: 'usd' } as const
  await Promise.all([1, 2].map(() => db.transaction().execute((trx) => settleCharge(trx, id, succeeded))))
  await beat()
  expect(await ledgerOf(client)).toEqual([['100.00', '140.00']])
})

test('the auto-recharge waits after a failure, and switches itself off with a reason after two in a row', async () => {
  const { db } = pipeline
  const client = await givenRecharged('60.00')
  provider.chargeAs({ declined: 'expired_card' })
  await spend(client, '20')
  await beat()
  await lookAtLowAccounts(db)
  await beat()
  expect(await paymentsOf(client)).toMatchObject([{ status: 'failed', failure: 'The card has expired' }])
  expect(await findClientAccount(db, client)).toMatchObject({ auto_recharge_enabled: true })
  await sql`update client_accounts set auto_recharge_not_before = now() where user_id = ${client}`.execute(db)
  await lookAtLowAccounts(db)
  await beat()
  expect((await paymentsOf(client)).map(({ status }) => status)).toEqual(['failed', 'failed'])
  expect(await findClientAccount(db, client)).toMatchObject({
    auto_recharge_enabled: false,
    auto_recharge_stopped: 'It failed 2 times in a row. The card has expired.',
  })
  expect(await ledgerOf(client)).toEqual([])
})

test('nothing is charged if the auto-recharge was switched off, has other amounts now, or the client may not buy', async () => {
  const { db, context } = pipeline
  const off = await givenRecharged('60.00')
  const other = await givenRecharged('60.00')
  const closed = await givenRecharged('60.00')
  await sql`update client_accounts set auto_recharge_amount = 200 where user_id = ${other}`.execute(db)
  await sql`update client_accounts set status = 'closed' where user_id = ${closed}`.execute(db)
  for (const client of [off, other, closed]) await spend(client, '20')
  await judgeFunding(context, signal)
  await sql`update client_accounts set auto_recharge_enabled = false where user_id = ${off}`.execute(db)
  await beat()
  expect(provider.charges.size).toBe(0)
  expect((await paymentsOf(off)).map(({ status }) => status)).toEqual(['cancelled'])
  expect([await paymentsOf(other), await paymentsOf(closed)]).toEqual([[], []])
})

test('a charge that is unknown until its key may be forgotten waits for an administrator, and ends the auto-recharge', async () => {
  const { db } = pipeline
  const client = await givenRecharged('60.00')
  provider.failWith(500)
  await spend(client, '20')
  await beat()
  await sql`update payments set created_at = now() - interval '21 hours' where client_user_id = ${client}`.execute(
    db,
  )
  await beat()
  provider.recover()
  await beat()
  expect(provider.charges.size).toBe(0)
  expect(await paymentsOf(client)).toMatchObject([
    {
      status: 'pending',
      failure: 'The provider does not say whether this was charged. An administrator decides.',
    },
  ])
  expect(await findClientAccount(db, client)).toMatchObject({ auto_recharge_enabled: false })
})

test('an amount other than requested is not credited, and waits for an administrator', async () => {
  const { db } = pipeline
  const client = await givenRecharged('60.00')
  provider.chargeAs('processing')
  await spend(client, '20')
  await beat()
  const id = (await paymentsOf(client))[0]?.id ?? ''
  const told = { outcome: 'succeeded', intent: `pi_${id}`, cents: 9999, currency: 'usd' } as const
  expect(await db.transaction().execute((trx) => settleCharge(trx, id, told))).toBe('flagged')
  expect([await ledgerOf(client), (await paymentsOf(client))[0]?.status]).toEqual([[], 'pending'])
  // An administrator has paid it back and rejects it; an event days later is about the same money.
  await sql`update payments set status = 'failed', failure = 'Rejected', decided_by = ${client} where id = ${id}`.execute(
    db,
  )
  expect(await db.transaction().execute((trx) => settleCharge(trx, id, told))).toBe('nothing')
  expect((await paymentsOf(client))[0]?.status).toBe('failed')
})

test.each([
  ['received', { outcome: 'succeeded', cents: 10_000, currency: 'usd' }, null],
  ['failed', { outcome: 'failed', code: 'expired_card' }, 'The card has expired'],
  [
    'pending',
    { outcome: 'succeeded', cents: 10_000, currency: 'eur' },
    'The provider reports 100.00 EUR, not 100.00 USD. Nothing was credited; an administrator decides.',
  ],
] as const)(
  'an outcome that is reported while the last answer is pending is final: %s',
  async (status, told, failure) => {
    const client = await givenRecharged('60.00')
    provider.chargeAs('lost')
    await spend(client, '20')
    await beat()
    await sql`update payments set created_at = created_at - interval '20 hours' where client_user_id = ${client}`.execute(
      pipeline.db,
    )
    const id = (await paymentsOf(client))[0]?.id ?? ''
    const answered = Promise.withResolvers<undefined>()
    const from = provider.requests.length
    provider.answerWith({ status: 503, headers: {}, body: '', after: answered.promise })
    const beating = beat()
    await provider.waitForCount(from + 1)
    await pipeline.db.transaction().execute((trx) => settleCharge(trx, id, { ...told, intent: `pi_${id}` }))
    answered.resolve(undefined)
    await beating
    expect(await paymentsOf(client)).toMatchObject([{ status, failure }])
    expect(await findClientAccount(pipeline.db, client)).toMatchObject({ auto_recharge_stopped: null })
  },
)

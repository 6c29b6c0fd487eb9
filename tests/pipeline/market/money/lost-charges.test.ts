import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findClientAccount } from '#core/data/market/client-accounts.ts'
import { keepPaymentMethod } from '#core/data/market/payments/payment-customers.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { intentOf, startRecharging, type Recharging } from './start-recharging.ts'

let recharging: Recharging
beforeAll(async () => {
  recharging = await startRecharging()
})
afterAll(() => recharging.close())
beforeEach(() => recharging.reset())

const age = (client: string, hours: number) =>
  sql`update payments set created_at = created_at - make_interval(hours => ${hours}) where client_user_id = ${client}`.execute(
    recharging.pipeline.db,
  )
const json = (status: number, body: unknown) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const statusesOf = async (client: string) =>
  (await recharging.paymentsOf(client)).map(({ status, failure }) => [status, failure])

/** Creates a client whose first charge, a bank debit, is in progress. */
async function givenDebit(): Promise<string> {
  const client = await recharging.givenRecharged('60.00')
  recharging.provider.chargeAs('processing')
  await recharging.spend(client, '20')
  await recharging.beat()
  return client
}

/** Creates a client whose first charge got no answer. */
async function givenLost(how: 'lost' | 'refused'): Promise<string> {
  const client = await recharging.givenRecharged('60.00')
  if (how === 'lost') recharging.provider.chargeAs('lost')
  else recharging.provider.failWith(503)
  await recharging.spend(client, '20')
  await recharging.beat()
  recharging.provider.recover()
  recharging.provider.chargeAs('succeeded')
  return client
}

test('a charge whose answer was lost is looked up and not requested again, even if the provider has forgotten its key', async () => {
  const { provider } = recharging
  const client = await givenLost('lost')
  await age(client, 25)
  provider.forgetKeys()
  const asked = provider.requests.length
  await recharging.beat()
  expect(provider.intents).toHaveLength(1)
  expect(provider.requests.slice(asked).map(({ method }) => method)).not.toContain('POST')
  expect(await recharging.ledgerOf(client)).toEqual([['100.00', '140.00']])
})

test('a charge that never reached the provider is given up once its key may be forgotten, and a new one begins', async () => {
  const { provider } = recharging
  const client = await givenLost('refused')
  await age(client, 25)
  for (let beat = 0; beat < 3; beat += 1) await recharging.beat()
  expect(await statusesOf(client)).toEqual([['cancelled', null]])
  expect(provider.intents).toEqual([])
  await recharging.beat()
  expect(provider.intents).toHaveLength(1)
  expect((await statusesOf(client)).map(([status]) => status)).toEqual(['cancelled', 'received'])
  expect(await recharging.ledgerOf(client)).toEqual([['100.00', '140.00']])
})

test('a charge that began a day ago and was never requested is given up', async () => {
  const { pipeline, provider } = recharging
  const client = await recharging.givenRecharged('60.00')
  await recharging.spend(client, '20')
  await sql`
    insert into payments (client_user_id, kind, method, amount, charge_customer, charge_method, ask_at, created_at)
    values (${client}, 'auto_recharge', 'checkout', 100, 'cus_1', 'pm_1', now(), now() - interval '25 hours')`.execute(
    pipeline.db,
  )
  await recharging.beat()
  await recharging.beat()
  expect(provider.intents).toHaveLength(1)
  expect((await statusesOf(client)).map(([status]) => status)).toEqual(['cancelled', 'received'])
})

/** Actions that end a client's consent to a requested charge. */
const ENDS: [what: string, end: (client: string) => Promise<unknown>][] = [
  ['switches the auto-recharge off', (client) => change(client, 'auto_recharge_enabled = false')],
  ['is closed', (client) => change(client, `status = 'closed'`)],
  ['sets another amount', (client) => change(client, 'auto_recharge_amount = 200')],
  ['sets a threshold below the balance', (client) => change(client, 'auto_recharge_threshold = 30')],
  [
    'is suspended',
    (client) =>
      sql`update profiles set status = 'suspended' where user_id = ${client}`.execute(recharging.pipeline.db),
  ],
  [
    'saves another card',
    (client) =>
      keepPaymentMethod(recharging.pipeline.db, client, {
        customer: 'cus_1',
        method: `pm_${client}`,
        at: new Date(),
      }),
  ],
  [
    'has paid by hand meanwhile',
    (client) =>
      sql`
        insert into balance_ledger (client_user_id, entry_type, amount, note) values (${client}, 'manual_credit', 500, 'Test')`.execute(
        recharging.pipeline.db,
      ),
  ],
  [
    'is erased',
    (client) => recharging.pipeline.db.transaction().execute((trx) => eraseAccount(trx, client, client)),
  ],
]
const change = (client: string, set: string) =>
  sql`update client_accounts set ${sql.raw(set)} where user_id = ${client}`.execute(recharging.pipeline.db)

test.each(ENDS)(
  'nothing is charged once a client %s, after the provider refused the first request',
  async (_what, end) => {
    const { provider } = recharging
    const client = await givenLost('refused')
    await end(client)
    for (let beat = 0; beat < 4; beat += 1) await recharging.beat()
    expect(provider.intents).toEqual([])
    expect(await statusesOf(client)).toEqual([['cancelled', null]])
  },
)

test.each(ENDS)(
  'a charge that was made before a client %s is found, even if its answer was lost',
  async (what, end) => {
    const { provider, pipeline } = recharging
    const client = await givenLost('lost')
    await end(client)
    await recharging.beat()
    expect(provider.intents).toHaveLength(1)
    const isErased = what === 'is erased'
    expect((await recharging.paymentsOf(client)).map(({ status }) => status)).toEqual([
      isErased ? 'pending' : 'received',
    ])
    const { rows } = await sql<{ credited: number }>`
    select count(*)::int as credited from balance_ledger where client_user_id = ${client} and entry_type = 'auto_recharge'`.execute(
      pipeline.db,
    )
    expect(rows).toEqual([{ credited: isErased ? 0 : 1 }])
  },
)

test('after the end of consent a request that was just given up may still arrive, and its charge is credited', async () => {
  const { provider } = recharging
  const client = await givenLost('refused')
  await change(client, 'auto_recharge_enabled = false')
  await recharging.beat()
  expect(await statusesOf(client)).toEqual([['pending', null]])
  const [payment] = await recharging.paymentsOf(client)
  const id = payment?.id ?? ''
  provider.intents.push(intentOf(id, { intent: 'pi_late' }))
  await recharging.beat()
  expect(await recharging.ledgerOf(client)).toEqual([['100.00', '140.00']])
})

test('a charge is found among hundreds of other charges of its customer', async () => {
  const { provider } = recharging
  const client = await givenLost('lost')
  for (let other = 0; other < 250; other += 1)
    provider.intents.push(intentOf('', { intent: `pi_other_${other}`, cents: 1 }))
  provider.forgetKeys()
  await recharging.beat()
  expect(await recharging.ledgerOf(client)).toEqual([['100.00', '140.00']])
})

test('a bank debit that takes days is followed until the money arrives, and the auto-recharge stays on', async () => {
  const { provider, pipeline } = recharging
  const client = await givenDebit()
  for (const hours of [21, 24, 72]) {
    await age(client, hours)
    await recharging.beat()
  }
  expect(await statusesOf(client)).toEqual([['pending', null]])
  expect(await findClientAccount(pipeline.db, client)).toMatchObject({
    auto_recharge_enabled: true,
    auto_recharge_stopped: null,
  })
  const [debit] = provider.intents
  if (debit !== undefined) debit.how = 'succeeded'
  await recharging.beat()
  expect(await recharging.ledgerOf(client)).toEqual([['100.00', '140.00']])
})

test.each([503, 404, 400, 402])(
  'while the provider answers %i, a charge with a known intent is looked up for days',
  async (status) => {
    const { provider } = recharging
    const client = await givenDebit()
    const type = status === 402 ? 'card_error' : 'invalid_request_error'
    provider.answerWith(json(status, { error: { type, code: 'resource_missing' } }))
    await age(client, 30)
    await recharging.beat()
    expect(await statusesOf(client)).toEqual([['pending', null]])
    provider.recover()
    const [debit] = provider.intents
    if (debit !== undefined) debit.how = 'succeeded'
    await recharging.beat()
    expect(await recharging.ledgerOf(client)).toEqual([['100.00', '140.00']])
  },
)

test('a charge with a known intent and no outcome for two weeks waits for an administrator', async () => {
  const client = await givenDebit()
  await age(client, 13 * 24)
  await recharging.beat()
  expect(await statusesOf(client)).toEqual([['pending', null]])
  await age(client, 24)
  await recharging.beat()
  const failure = 'The provider does not say whether this was charged. An administrator decides.'
  expect(await statusesOf(client)).toEqual([['pending', failure]])
})

test('if a charge has several intents, the paid one counts, whichever is newer', async () => {
  const { provider } = recharging
  for (const order of [0, 1]) {
    const client = await givenLost('refused')
    const payment = (await recharging.paymentsOf(client))[0]?.id ?? ''
    const paid = intentOf(payment, { intent: `pi_paid_${order}` })
    const failed = intentOf(payment, { intent: `pi_failed_${order}`, how: { declined: 'expired_card' } })
    provider.intents.push(...(order === 0 ? [paid, failed] : [failed, paid]))
    await recharging.beat()
    expect(await recharging.ledgerOf(client)).toEqual([['100.00', '140.00']])
  }
})

test.each([
  ['too many requests', json(429, { error: { type: 'rate_limit_error' } })],
  ['a wrong key', json(401, { error: { type: 'invalid_request_error' } })],
  ['a refusal', json(400, { error: { type: 'invalid_request_error' } })],
  ['no list', json(404, {})],
  ['a page of a proxy', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }],
  ['a list without an end', json(200, { data: [] })],
  ['a list that breaks off', json(200, { data: [], has_more: true })],
  ['a row without a name', json(200, { data: [{ status: 'succeeded' }], has_more: false })],
  [
    'an amount with decimals',
    json(200, {
      data: [{ id: 'pi_1', status: 'succeeded', amount_received: 0.5, currency: 'usd' }],
      has_more: false,
    }),
  ],
  ['a redirect', { status: 302, headers: { location: 'https://example.com' }, body: '' }],
  ['half an answer', 'reset-after-headers'],
] as const)(
  'a lookup that is answered with %s leaves the outcome open, and no new charge is requested',
  async (_what, answer) => {
    const { provider } = recharging
    const client = await givenLost('lost')
    const asked = provider.requests.length
    provider.answerWith(answer)
    await recharging.beat()
    expect(provider.requests.slice(asked).map(({ method }) => method)).not.toContain('POST')
    expect(await statusesOf(client)).toEqual([['pending', null]])
    provider.recover()
    await recharging.beat()
    expect([provider.intents.length, await recharging.ledgerOf(client)]).toEqual([1, [['100.00', '140.00']]])
  },
)

test.each([
  ['of another amount', { cents: 9999 }, 'pending'],
  ['in another currency', { currency: 'eur' }, 'pending'],
  ['declined', { how: { declined: 'lost_card' } }, 'failed'],
  ['of another payment', { payment: '01900000-0000-7000-8000-00000000dead' }, 'received'],
] as const)(
  'a charge that is found %s is settled as the provider reports it',
  async (_what, fields, status) => {
    const { provider } = recharging
    const client = await givenLost('refused')
    const payment = (await recharging.paymentsOf(client))[0]?.id ?? ''
    provider.intents.push(intentOf(payment, { intent: `pi_of_${payment}`, ...fields }))
    await recharging.beat()
    expect((await statusesOf(client)).map(([one]) => one)).toEqual([status])
    // Another payment's money does not count for this one, so the charge is requested once.
    expect(provider.charges.size).toBe(status === 'received' ? 1 : 0)
  },
)

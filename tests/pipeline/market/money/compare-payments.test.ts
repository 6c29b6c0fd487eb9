import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readComparison } from '#core/data/market/payments/payment-differences.ts'
import { givenBuyer } from '#tests/support/given/market.ts'
import type { MadeCharge } from '#tests/support/peers/payment-server.ts'
import { comparePayments } from '#worker/housekeeping/market/compare-payments.ts'
import { startRecharging, type Recharging } from './start-recharging.ts'

let recharging: Recharging
let client: string
beforeAll(async () => {
  recharging = await startRecharging()
  client = await givenBuyer(recharging.pipeline.db, '0.00')
})
afterAll(() => recharging.close())
beforeEach(async () => {
  recharging.reset()
  const { provider, pipeline } = recharging
  provider.refunds.length = 0
  provider.disputes.length = 0
  await sql`truncate payments, payment_reversals cascade`.execute(pipeline.db)
  await sql`truncate payment_differences`.execute(pipeline.db)
  await sql`update payment_comparison set begun_at = null, finished_at = null, failure = null`.execute(
    pipeline.db,
  )
})

const DAY = 86_400
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds

/** Creates a payment that was requested this many days ago. */
async function givenPayment(
  intent: string | null,
  { status = 'received', days = 1, amount = 50 }: { status?: string; days?: number; amount?: number } = {},
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into payments (client_user_id, method, amount, status, provider_intent_id, created_at)
    values (${client}, 'checkout', ${amount}, ${status}, ${intent}, now() - make_interval(days => ${days})) returning id`.execute(
    recharging.pipeline.db,
  )
  return rows[0]?.id ?? ''
}
function givenIntent(
  intent: string,
  payment: string,
  fields: Partial<MadeCharge> & { days?: number } = {},
): void {
  const { days = 1, ...others } = fields
  const paid = {
    cents: 5000,
    customer: 'cus_1',
    method: 'pm_1',
    how: 'succeeded',
    created: secondsAgo(days * DAY),
  } as const
  recharging.provider.intents.push({ ...paid, intent, payment, ...others })
}
async function compare() {
  await Promise.all([1, 2].map(() => comparePayments(recharging.pipeline.context)))
  return await readComparison(recharging.pipeline.db)
}
const kindsOf = ({ data }: { data: readonly { kind: string; provider_id: string }[] }) =>
  data.map(({ kind, provider_id: id }) => `${kind} ${id}`).toSorted()

test('once a day payments are compared with all pages of the provider’s lists; equal payments are not listed', async () => {
  for (let n = 0; n < 60; n += 1) givenIntent(`pi_${n}`, await givenPayment(`pi_${n}`))
  givenIntent('pi_of_others', '')
  expect(await compare()).toMatchObject({ data: [], count: 0, compared: 60, failure: null })
  const asked = recharging.provider.requests.length
  await compare()
  expect(recharging.provider.requests).toHaveLength(asked)
})

test('each kind of difference is listed with its payment and client, moves no money, and is removed once corrected', async () => {
  const { provider, pipeline } = recharging
  const pending = await givenPayment(null, { status: 'pending' })
  givenIntent('pi_lost_event', pending)
  const declined = await givenPayment('pi_declined', { status: 'failed' })
  const rejected = await givenPayment('pi_rejected', { status: 'failed' })
  await sql`
    update payments set failure = 'As it says', decided_by = case when id = ${rejected} then client_user_id end
    where id in (${declined}, ${rejected})`.execute(pipeline.db)
  givenIntent('pi_declined', declined)
  givenIntent('pi_rejected', rejected)
  const gone = await givenPayment('pi_gone')
  const lower = await givenPayment('pi_lower')
  givenIntent('pi_lower', lower, { cents: 4900 })
  givenIntent('pi_restored', '01900000-0000-7000-8000-00000000dead')
  // Paid before the window, refunded within it.
  const old = await givenPayment('pi_old', { days: 200 })
  givenIntent('pi_old', old, { days: 200, refunded: 2000 })
  provider.refunds.push({ id: 're_1', payment_intent: 'pi_old', created: secondsAgo(DAY) })
  const disputed = await givenPayment('pi_disputed')
  givenIntent('pi_disputed', disputed)
  for (const [id, intent] of [
    ['du_1', 'pi_disputed'],
    ['du_of_others', 'pi_of_others'],
  ])
    provider.disputes.push({
      id,
      payment_intent: intent,
      amount: 5000,
      currency: 'usd',
      status: 'lost',
      created: secondsAgo(DAY),
    })
  // Too young: its event may still be on its way.
  givenIntent('pi_young', await givenPayment(null, { status: 'pending', days: 0 }), {
    created: secondsAgo(60),
  })

  const found = await compare()
  expect(kindsOf(found)).toEqual([
    'amount pi_lower',
    'dispute du_1',
    'not_credited pi_declined',
    'not_credited pi_lost_event',
    'not_paid pi_gone',
    'refund pi_old',
    'unknown pi_restored',
  ])
  expect(found.data.find(({ payment_id: id }) => id === pending)).toMatchObject({
    kind: 'not_credited',
    client: { user_id: client },
    ours: 'pending, 50.00 USD',
    theirs: 'paid, 50.00 USD',
  })
  expect(found.data.find(({ kind }) => kind === 'unknown')).toMatchObject({ payment_id: null, client: null })
  expect(found.data.find(({ kind }) => kind === 'not_paid')?.payment_id).toBe(gone)
  const { rows } =
    await sql`select from balance_ledger where client_user_id = ${client} and created_at > now() - interval '1 minute'
    and entry_type <> 'manual_credit'`.execute(pipeline.db)
  expect(rows).toEqual([])

  await sql`update payments set status = 'received', provider_intent_id = 'pi_lost_event' where id = ${pending}`.execute(
    pipeline.db,
  )
  await sql`update payment_comparison set begun_at = begun_at - interval '25 hours'`.execute(pipeline.db)
  expect(kindsOf(await compare())).not.toContain('not_credited pi_lost_event')
})

test('while the provider is away the last result stays with the failure, and a later comparison follows', async () => {
  const { provider, pipeline } = recharging
  givenIntent('pi_lost_event', await givenPayment(null, { status: 'pending' }))
  await compare()
  provider.failWith(503)
  await sql`update payment_comparison set begun_at = begun_at - interval '25 hours'`.execute(pipeline.db)
  expect(await compare()).toMatchObject({
    count: 1,
    failure: 'The comparison broke off; the log of the worker says why',
  })
  provider.recover()
  expect((await compare()).failure).not.toBeNull()
  await sql`update payment_comparison set begun_at = begun_at - interval '3 hours'`.execute(pipeline.db)
  expect(await compare()).toMatchObject({ count: 1, failure: null })
})

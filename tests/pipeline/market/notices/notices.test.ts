import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postEntries } from '#core/data/market/ledger.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { settleCharge } from '#core/use-cases/market/money/settle-charge.ts'
import { givenBuyer, givenOffers, givenOrder, topUp } from '#tests/support/given/market.ts'
import { givenRecharge } from '#tests/support/given/recharge.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { readToldMails } from '#tests/support/given/told-mails.ts'
import { judgeFunding } from '#worker/housekeeping/market/judge-funding.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  const payments = { PAYMENTS_SECRET_KEY: 'sk_test_example', PAYMENTS_WEBHOOK_SECRET: 'whsec_example_secret' }
  pipeline = await startPipeline(payments, { worker: false })
})
afterAll(() => pipeline.close())

/** Runs several workers at once. */
const judge = async (): Promise<void> => {
  const { signal } = new AbortController()
  await Promise.all([1, 2, 3].map(() => judgeFunding(pipeline.context, signal)))
}
async function spend(client: string, amount: string): Promise<string[]> {
  await postEntries(pipeline.db, [
    { client_user_id: client, entry_type: 'manual_debit', amount: `-${amount}`, note: 'Test' },
  ])
  await judge()
  return await readToldMails(pipeline.db, client)
}
const OUT = 'Your balance no longer pays for a lead'

test('each threshold that the balance falls below is reported once, and again after the balance has risen above it', async () => {
  const { db } = pipeline
  const client = await givenBuyer(db, '0')
  await judge()
  expect(await readToldMails(db, client)).toEqual([])
  await topUp(db, client, '130.00')
  await givenOrder(db, client)
  await judge()
  expect(await readToldMails(db, client)).toEqual([])
  const low = 'Your balance is low: $90.00'
  expect(await spend(client, '40')).toEqual([low])
  expect(await spend(client, '30')).toEqual([low])
  expect(await spend(client, '40')).toEqual([low, OUT])
  expect(await spend(client, '1')).toEqual([low, OUT])
  await topUp(db, client, '50.00')
  await judge()
  expect(await readToldMails(db, client)).toEqual([low, OUT])
  expect(await spend(client, '50')).toEqual([low, OUT, OUT])
})

test('purchases report a low balance too, and many purchases at once report it once', async () => {
  const { db, context } = pipeline
  const client = await givenBuyer(db, '160.00')
  await givenOrder(db, client, { states: ['WY'] })
  await judge()
  const leads = await givenOffers(
    db,
    Array.from({ length: 10 }, () => ({ state: 'WY' })),
  )
  for (const half of [leads.slice(0, 4), leads.slice(4)]) {
    await assignLeads(context.market, half)
    await judge()
  }
  expect(await readToldMails(db, client)).toEqual(['Your balance is low: $60.00', OUT])
})

test('notices that the client has switched off are not sent, and no notice names a lead', async () => {
  const { db } = pipeline
  const client = await givenBuyer(db, '130.00')
  await judge()
  await sql`update client_accounts set notices = '{"low_balance": false}' where user_id = ${client}`.execute(
    db,
  )
  expect(await spend(client, '40')).toEqual([])
  expect(await spend(client, '90')).toEqual([OUT])
})

test('while a charge is in progress nothing is reported; a failed charge is reported with the state of the funds', async () => {
  const { db } = pipeline
  const client = await givenBuyer(db, '130.00')
  await givenRecharge(db, client)
  await judge()
  expect(await spend(client, '100')).toEqual([])
  const failed = { outcome: 'failed', intent: null, code: 'expired_card' } as const
  const settle = async () => {
    const charges = await db.selectFrom('payments').select('id').where('status', '=', 'pending').execute()
    for (const { id } of charges) {
      await db.transaction().execute((trx) => settleCharge(trx, id, failed))
      await db.transaction().execute((trx) => settleCharge(trx, id, failed))
    }
    await judge()
  }
  await settle()
  const once = ['Your auto-recharge failed', 'Your balance is low: $30.00']
  expect(await readToldMails(db, client)).toEqual(once)
  await sql`update client_accounts set auto_recharge_not_before = now() where user_id = ${client}`.execute(db)
  await spend(client, '1')
  await settle()
  expect(await readToldMails(db, client)).toEqual([...once, 'Your auto-recharge is switched off'])
})

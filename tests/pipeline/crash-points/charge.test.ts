// A worker that dies at any point of an auto-recharge charges the client once and credits it once.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { postEntries } from '#core/data/market/ledger.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenBuyer } from '#tests/support/given/market.ts'
import { givenRecharge } from '#tests/support/given/recharge.ts'
import { startPaymentServer } from '#tests/support/peers/payment-server.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

test('two workers die while they charge a client; a third looks the charge up, and the client is charged and credited once', async (context) => {
  const provider = await startPaymentServer()
  context.onTestFinished(() => provider.close())
  const { pipeline, worker } = await setUpCrashPoint(context, {
    env: {
      PAYMENTS_SECRET_KEY: 'sk_test_example',
      PAYMENTS_WEBHOOK_SECRET: provider.secret,
      PAYMENTS_URL: provider.url,
    },
  })
  const { db } = pipeline
  const client = await givenBuyer(db, '60.00')
  await givenRecharge(db, client)
  await postEntries(db, [
    { client_user_id: client, entry_type: 'manual_debit', amount: '-20.00', note: 'Test' },
  ])
  /** Ends the lease of the process that died. */
  const endLease = () => sql`update payments set ask_at = now() where ask_at is not null`.execute(db)
  const read = async () => {
    const { rows } = await sql<{ status: string; asks: number; credits: number }>`
      select t.status, t.asks, (select count(*)::int from balance_ledger where entry_type = 'auto_recharge') as credits
      from payments t where t.client_user_id = ${client}`.execute(db)
    return rows
  }

  await (await worker({ FAILPOINTS: 'before-charge=exit' })).ended()
  expect([await read(), provider.charges.size]).toEqual([[{ status: 'pending', asks: 1, credits: 0 }], 0])
  await endLease()
  await (await worker({ FAILPOINTS: 'after-charge=exit' })).ended()
  expect([await read(), provider.charges.size]).toEqual([[{ status: 'pending', asks: 2, credits: 0 }], 1])
  await endLease()
  await worker()
  await waitUntil(async () => (await read())[0]?.status === 'received', {
    what: 'The credit',
    timeoutMs: 30_000,
  })
  expect([await read(), provider.charges.size]).toEqual([[{ status: 'received', asks: 3, credits: 1 }], 1])
})

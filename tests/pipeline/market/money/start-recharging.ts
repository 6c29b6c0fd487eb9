import { sql } from 'kysely'
import { postEntries } from '#core/data/market/ledger.ts'
import { givenBuyer } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { givenRecharge } from '#tests/support/given/recharge.ts'
import {
  startPaymentServer,
  type MadeCharge,
  type PaymentServer,
} from '#tests/support/peers/payment-server.ts'
import { judgeFunding } from '#worker/housekeeping/market/judge-funding.ts'
import { makeCharges } from '#worker/housekeeping/market/make-charges.ts'

/** A worker's payment chores beside a payment provider, run by the test. */
export interface Recharging {
  pipeline: TestPipeline
  provider: PaymentServer
  /** Runs the chores once, in several workers at once, with every pending question due. */
  beat: () => Promise<void>
  spend: (client: string, amount: string) => Promise<void>
  /** Returns amount and balance of each auto-recharge. */
  ledgerOf: (client: string) => Promise<string[][]>
  paymentsOf: (client: string) => Promise<{ id: string; status: string; failure: string | null }[]>
  /** Creates a client with this balance who has agreed to an auto-recharge. */
  givenRecharged: (balance: string, fields?: { monthlyMax?: string }) => Promise<string>
  reset: () => void
  close: () => Promise<void>
}

export async function startRecharging(): Promise<Recharging> {
  const provider = await startPaymentServer()
  const pipeline = await startPipeline(
    {
      PAYMENTS_SECRET_KEY: 'sk_test_example',
      PAYMENTS_WEBHOOK_SECRET: provider.secret,
      PAYMENTS_URL: provider.url,
    },
    { worker: false },
  )
  const { context, db } = pipeline
  const { signal } = new AbortController()
  return {
    pipeline,
    provider,
    beat: async () => {
      await sql`update payments set ask_at = now() where ask_at is not null`.execute(db)
      await Promise.all([1, 2, 3].map(() => judgeFunding(context, signal)))
      await Promise.all([1, 2].map(() => makeCharges(context, signal)))
    },
    spend: async (client, amount) => {
      const entry = {
        client_user_id: client,
        entry_type: 'manual_debit',
        amount: `-${amount}`,
        note: 'Test',
      } as const
      await postEntries(db, [entry])
    },
    ledgerOf: async (client) => {
      const { rows } = await sql<{ entry_type: string; amount: string; balance_after: string }>`
        select entry_type, amount, balance_after from balance_ledger
        where client_user_id = ${client} and entry_type = 'auto_recharge' order by id`.execute(db)
      return rows.map(({ amount, balance_after }) => [amount, balance_after])
    },
    paymentsOf: async (client) =>
      await db
        .selectFrom('payments')
        .select(['id', 'status', 'failure'])
        .where('client_user_id', '=', client)
        .orderBy('created_at')
        .execute(),
    givenRecharged: async (balance, fields) => {
      const client = await givenBuyer(db, balance)
      await givenRecharge(db, client, fields)
      return client
    },
    reset: () => {
      provider.recover()
      provider.chargeAs('succeeded')
      provider.charges.clear()
      provider.intents.length = 0
    },
    close: async () => {
      await pipeline.close()
      await provider.close()
    },
  }
}

/** A charge as the provider knows it, whether we know it or not. */
export const intentOf = (payment: string, fields: Partial<MadeCharge> & { intent: string }): MadeCharge => ({
  cents: 10_000,
  customer: 'cus_1',
  method: 'pm_1',
  how: 'succeeded',
  payment,
  ...fields,
})

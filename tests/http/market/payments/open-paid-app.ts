import { afterAll, beforeAll, expect } from 'vitest'
import { balanceSchema, ledgerEntrySchema, type LedgerEntry } from '#core/contract/market/money/ledger.ts'
import { paymentSchema, type Payment } from '#core/contract/market/money/payment.ts'
import { startPaymentServer, type PaymentServer } from '#tests/support/peers/payment-server.ts'
import { startApp, type CallResult, type Person, type TestApp } from '../../support/start-app.ts'

/** The product with a payment provider, and actions of clients with both. */
export interface PaidApp {
  app: TestApp
  provider: PaymentServer
  ask: (who: Person, amount: number, headers?: Record<string, string>) => Promise<Payment>
  find: (who: Person, id: string) => Promise<Payment>
  balanceOf: (who: Person) => Promise<string>
  /** newest first */
  ledgerOf: (who: Person) => Promise<LedgerEntry[]>
  /** Posts an event as the provider does, signed by it unless another signature is given. */
  tell: (body: string, signature?: string) => Promise<CallResult>
}

/** Starts both before the tests of the calling file, and ends them afterwards. */
export function openPaidApp(): PaidApp {
  let provider: PaymentServer
  let app: TestApp
  beforeAll(async () => {
    provider = await startPaymentServer()
    app = await startApp({
      PAYMENTS_SECRET_KEY: 'sk_test_example',
      PAYMENTS_WEBHOOK_SECRET: provider.secret,
      PAYMENTS_URL: provider.url,
    })
  })
  afterAll(async () => {
    await app.close()
    await provider.close()
  })
  const read = async (who: Person, path: string) => {
    const { json } = await app.call('GET', `/api/v1/${path}`, { token: who.token })
    return json
  }
  return {
    get app() {
      return app
    },
    get provider() {
      return provider
    },
    ask: async (who, amount, headers = {}) => {
      const answer = await app.call('POST', '/api/v1/payments', {
        token: who.token,
        body: { amount },
        headers,
      })
      expect(answer.status).toBe(201)
      return paymentSchema.parse(answer.json)
    },
    find: async (who, id) =>
      paymentSchema.parse((await read(who, 'payments')).data.find((row) => row.id === id)),
    balanceOf: async (who) => balanceSchema.parse(await read(who, 'balance')).balance,
    ledgerOf: async (who) => (await read(who, 'ledger')).data.map((row) => ledgerEntrySchema.parse(row)),
    tell: (body, signature = provider.sign(body)) =>
      app.call('POST', '/api/v1/payment-webhook', { body, headers: { 'Stripe-Signature': signature } }),
  }
}

import { z } from 'zod'
import { askServiceForJson } from '../http/ask-service.ts'
import type { ReportedDispute, ReportedPayment } from '../domain/market/payments/compare-payment.ts'
import { listAll, type AskProvider } from './list-all.ts'
import { intentSchema } from './read-charge.ts'
import { nameDisputeState } from './read-dispute.ts'

const nameSchema = z.string().min(1).max(255)
const secondsSchema = z
  .int()
  .nonnegative()
  .max(9_999_999_999)
  .transform((seconds) => new Date(seconds * 1000))

/** A payment intent is paid once, so its newest charge has all of its refunds. */
const rowSchema = intentSchema.extend({
  created: secondsSchema,
  metadata: z.object({ payment_id: z.uuid().optional().catch(undefined) }).nullish(),
  latest_charge: z.union([nameSchema, z.object({ amount_refunded: z.int().nonnegative() })]).nullish(),
})
const refundSchema = z.object({ id: nameSchema, payment_intent: nameSchema.nullish() })
const disputeSchema = z.object({
  id: nameSchema,
  created: secondsSchema,
  payment_intent: nameSchema.nullish(),
  amount: z.int().nonnegative(),
  currency: z.string().min(1).max(10),
  status: z.string().max(40),
})

/**
 * Lists our payments at the provider that were made or refunded since `since`. Payments of
 * others who share the account lack our `payment_id`, and are left out.
 * @throws if the provider is away
 */
export async function* listReportedPayments(ask: AskProvider, since: Date): AsyncGenerator<ReportedPayment> {
  const query = createdSince(since)
  const seen = new Set<string>()
  const list = { row: rowSchema, query: { ...query, 'expand[]': 'data.latest_charge' } }
  for await (const row of listAll(ask, 'payment_intents', list)) {
    seen.add(row.id)
    yield* describe(row)
  }
  for await (const { payment_intent: id } of listAll(ask, 'refunds', { row: refundSchema, query })) {
    if (id === null || id === undefined || seen.has(id)) continue
    seen.add(id)
    const asked = ask(`payment_intents/${encodeURIComponent(id)}?expand%5B%5D=latest_charge`)
    yield* describe(rowSchema.parse(await askServiceForJson(asked)))
  }
}

/** Lists every dispute since then, including those of payments that Leadwire did not create. */
export async function* listReportedDisputes(ask: AskProvider, since: Date): AsyncGenerator<ReportedDispute> {
  for await (const row of listAll(ask, 'disputes', { row: disputeSchema, query: createdSince(since) })) {
    const { id, created, payment_intent: intent = null, amount, currency, status } = row
    yield { id, created, intent, amount, currency, state: nameDisputeState(status) }
  }
}

function* describe(row: z.infer<typeof rowSchema>): Generator<ReportedPayment> {
  const {
    id: intent,
    created,
    status,
    amount_received: amount,
    currency,
    metadata,
    latest_charge: charge,
  } = row
  const payment = metadata?.payment_id
  if (payment === undefined) return
  const refunded = typeof charge === 'object' && charge !== null ? charge.amount_refunded : 0
  yield { intent, created, payment, isPaid: status === 'succeeded', amount, currency, refunded }
}

function createdSince(since: Date): Record<string, string> {
  return { 'created[gte]': String(Math.floor(since.getTime() / 1000)) }
}

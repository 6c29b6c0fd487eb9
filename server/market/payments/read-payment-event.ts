import { z } from 'zod'
import { nameDisputeState } from '#core/payments/read-dispute.ts'
import { intentSchema, readIntent, type Charge } from '#core/payments/read-charge.ts'
import type { Reversal } from '#core/domain/market/payments/judge-reversal.ts'

/** An event of the provider. Its type decides which members of its object are read. */
export const paymentEventSchema = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(200),
  /** in seconds; an event without it counts as new */
  created: z.int().nonnegative().max(9_999_999_999).optional().catch(undefined),
  data: z.object({ object: z.unknown() }),
})
type PaymentEvent = z.infer<typeof paymentEventSchema>

const nameSchema = z.string().min(1).max(255)

const pageSchema = z.object({
  id: nameSchema,
  client_reference_id: z.uuid(),
  metadata: z.object({ payment_id: z.string().optional() }).nullish(),
  amount_total: z.int().nullish(),
  currency: z.string().max(10).nullish(),
  payment_status: z.string().max(40).nullish(),
  payment_intent: nameSchema.nullish(),
})
/** The result of a payment's page. */
export type ToldOfPage = z.infer<typeof pageSchema>

/** Cents, up to what the database can store. */
const centsSchema = z.int().nonnegative().max(999_999_999_999)

const disputeSchema = z.object({
  id: nameSchema,
  amount: centsSchema,
  currency: z.string().min(1).max(10),
  payment_intent: nameSchema.nullish(),
  status: z.string().max(40),
  evidence_details: z
    .object({ due_by: z.int().positive().max(9_999_999_999).nullish() })
    .nullish()
    .catch(null),
})

const refundedSchema = z.object({
  id: nameSchema,
  amount_refunded: centsSchema,
  currency: z.string().min(1).max(10),
  payment_intent: nameSchema.nullish(),
  metadata: z.object({ payment_id: z.uuid().optional() }).nullish(),
})

const refundSchema = z.object({
  id: nameSchema,
  charge: nameSchema,
  amount: centsSchema,
  payment_intent: nameSchema.nullish(),
  status: z.string().max(40),
})
/** The end of a refund is reported by one of these, depending on the version of the provider's API. */
const REFUND_EVENTS = new Set(['refund.failed', 'refund.updated', 'charge.refund.updated'])
const REFUND_FAILURES = new Set(['failed', 'canceled'])

/**
 * A refund whose money returned to the provider. `charge` is the refunded charge, `at` is in milliseconds.
 */
export interface ToldOfFailedRefund {
  id: string
  charge: string
  intent: string | null
  /** cents */
  amount: number
  at: number
}

/** Money that was taken back: the provider's ids of the dispute or charge, and of the payment. */
export interface ToldOfReversal extends Reversal {
  id: string
  kind: 'dispute' | 'refund'
  currency: string
  intent: string | null
  /** our id of the payment, if the provider was given it and returns it */
  payment_id: string | null
  /** until when a dispute can be answered */
  due_by: Date | null
}

const paidIntentSchema = intentSchema.extend({
  customer: nameSchema.nullish(),
  payment_method: nameSchema.nullish(),
  metadata: z.object({ payment_id: z.uuid() }),
})

/** The result for a payment's money, with or without a page, and how it was paid. */
export interface ToldOfIntent {
  payment_id: string
  charge: Charge
  customer: string | null
  method: string | null
  /** when it happened according to the provider, in milliseconds */
  at: number
}

/** Only final events: others come while the client is still on the page. */
const INTENTS = new Set([
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
])

type Told =
  | { about: 'page'; page: ToldOfPage }
  | { about: 'intent'; intent: ToldOfIntent }
  | { about: 'reversal'; reversal: ToldOfReversal }
  | { about: 'failed_refund'; refund: ToldOfFailedRefund }
  /** of a kind that is read here, but not in a known form */
  | { about: 'unreadable' }
  | { about: 'nothing' }

/** Reads an event about our payments; events of other kinds give nothing. */
export function readPaymentEvent({ type, created, data: { object } }: PaymentEvent): Told {
  const at = created === undefined ? Date.now() : created * 1000
  if (type.startsWith('checkout.session.')) {
    const page = pageSchema.safeParse(object).data
    // Pages of another system that shares the provider's account have other names.
    return page === undefined ? { about: 'nothing' } : { about: 'page', page }
  }
  if (INTENTS.has(type)) {
    const intent = paidIntentSchema.safeParse(object).data
    return intent === undefined ? { about: 'nothing' } : { about: 'intent', intent: nameIntent(at, intent) }
  }
  if (type.startsWith('charge.dispute.')) {
    const dispute = disputeSchema.safeParse(object).data
    return dispute === undefined
      ? { about: 'unreadable' }
      : { about: 'reversal', reversal: readDispute(type, at, dispute) }
  }
  if (REFUND_EVENTS.has(type)) return readRefund(at, object)
  if (type !== 'charge.refunded') return { about: 'nothing' }
  const charge = refundedSchema.safeParse(object).data
  if (charge === undefined) return { about: 'unreadable' }
  const { id, amount_refunded: amount, currency, payment_intent: intent = null, metadata } = charge
  const payment_id = metadata?.payment_id ?? null
  return {
    about: 'reversal',
    reversal: {
      id,
      kind: 'refund',
      state: 'paid_back',
      amount,
      currency,
      at,
      intent,
      payment_id,
      due_by: null,
    },
  }
}

function nameIntent(at: number, intent: z.infer<typeof paidIntentSchema>): ToldOfIntent {
  const { customer = null, payment_method: method = null, metadata } = intent
  return { payment_id: metadata.payment_id, charge: readIntent(intent), customer, method, at }
}

function readDispute(
  type: string,
  at: number,
  {
    id,
    amount,
    currency,
    payment_intent: intent = null,
    status,
    evidence_details,
  }: z.infer<typeof disputeSchema>,
): ToldOfReversal {
  const state = type === 'charge.dispute.funds_reinstated' ? 'won' : nameDisputeState(status)
  const due = evidence_details?.due_by ?? null
  const due_by = due === null ? null : new Date(due * 1000)
  return { id, kind: 'dispute', state, amount, currency, at, intent, payment_id: null, due_by }
}

function readRefund(at: number, object: unknown): Told {
  const refund = refundSchema.safeParse(object).data
  if (refund === undefined) return { about: 'unreadable' }
  if (!REFUND_FAILURES.has(refund.status)) return { about: 'nothing' }
  const { id, charge, amount, payment_intent: intent = null } = refund
  return { about: 'failed_refund', refund: { id, charge, intent, amount, at } }
}

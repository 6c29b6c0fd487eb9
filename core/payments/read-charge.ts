import { z } from 'zod'

/**
 * The provider's answer about a charge without the client present.
 * @throws if the answer does not tell
 */
export type Charge =
  | { outcome: 'succeeded'; intent: string; cents: number; currency: string }
  | { outcome: 'processing'; intent: string }
  /** `code` is the provider's code for the reason, for example `expired_card` */
  | { outcome: 'failed'; intent: string | null; code: string | null }

const nameSchema = z.string().min(1).max(255)
const whySchema = z.object({ code: z.string().nullish(), decline_code: z.string().nullish() })

/** A PaymentIntent, in an answer and in an event. */
export const intentSchema = z.object({
  id: nameSchema,
  status: z.string().max(60),
  amount_received: z.int().nonnegative(),
  currency: z.string().max(10),
  last_payment_error: whySchema.nullish(),
})

const refusalSchema = z.object({
  error: whySchema.extend({
    type: z.string(),
    payment_intent: z.object({ id: nameSchema }).nullish(),
  }),
})

/**
 * Refused because of the payment method, or because that is gone: nothing was charged, and asking again changes
 * nothing.
 */
const REFUSALS = new Set(['card_error', 'invalid_request_error'])

/**
 * Reads the answer to a charge.
 * @throws Error if it leaves open whether anything was charged: the provider must be asked again, under the same key
 */
export function readCharge({ status, body }: { status: number; body: string }): Charge {
  if (status >= 200 && status <= 299) return readIntent(read(intentSchema, body))
  if (status === 400 || status === 402 || status === 404) {
    const { error } = read(refusalSchema, body)
    if (REFUSALS.has(error.type))
      return { outcome: 'failed', intent: error.payment_intent?.id ?? null, code: wordOf(error) }
  }
  throw new Error(`The payment provider answered ${status}`)
}

/** The error quotes nothing of the answer, which may name a person. */
function read<Schema extends z.ZodType>(schema: Schema, body: string): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(body))
  } catch {
    throw new Error('The payment provider answered in another form than is known')
  }
}

export function readIntent(intent: z.infer<typeof intentSchema>): Charge {
  const { id, status, amount_received: cents, currency, last_payment_error: why } = intent
  if (status === 'succeeded') return { outcome: 'succeeded', intent: id, cents, currency }
  if (status === 'processing') return { outcome: 'processing', intent: id }
  // The client is not present, so nobody can give anything else that the provider asks for.
  const code = status === 'requires_action' ? 'authentication_required' : wordOf(why)
  return { outcome: 'failed', intent: id, code }
}

function wordOf(why: z.infer<typeof whySchema> | null | undefined): string | null {
  return why?.decline_code ?? why?.code ?? null
}

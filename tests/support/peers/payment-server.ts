import { createHmac } from 'node:crypto'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import type { Answer } from '#scripts/lab/receiver/give-answer.ts'
import type { ReceivedRequest } from '#scripts/lab/receiver/receive-requests.ts'

/** A payment provider on the loopback: opens pages, charges, and signs what it tells. */
export interface PaymentServer extends Receiver {
  secret: string
  /** `Stripe-Signature` of a body; @param options.at seconds since the epoch, now if left out */
  sign: (body: string, options?: { at?: number; secret?: string }) => string
  /** answers every request so, until it is told otherwise */
  failWith: (status: number) => void
  recover: () => void
  /** What was charged, by the key it was asked for under: one key charges once. */
  charges: Map<string, MadeCharge>
  /** What comes of charges under new keys, until it is told otherwise. */
  chargeAs: (how: HowToCharge) => void
}

interface MadeCharge {
  intent: string
  cents: number
  customer: string
  method: string
  how: HowToCharge
}
/** `declined` by the code given; `lost`: charged, and the connection breaks before the answer, the first time that it is asked. */
export type HowToCharge = 'succeeded' | 'processing' | 'lost' | { declined: string }

const headers = { 'content-type': 'application/json' }
const answer = (status: number, body: unknown): Answer => ({ status, headers, body: JSON.stringify(body) })

/** The fields of a form that it was sent. */
export function formOf({ body }: { body: string }): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body))
}

/** A PaymentIntent, as an answer and in an event. */
export function describeIntent(
  { intent, cents, customer, method, how }: MadeCharge,
  payment: string,
): Record<string, unknown> {
  const isDeclined = typeof how === 'object'
  return {
    id: intent,
    status: isDeclined ? 'requires_payment_method' : how === 'processing' ? how : 'succeeded',
    amount_received: isDeclined || how === 'processing' ? 0 : cents,
    currency: 'usd',
    customer,
    payment_method: method,
    last_payment_error: isDeclined ? { code: 'card_declined', decline_code: how.declined } : null,
    metadata: { payment_id: payment },
  }
}

export async function startPaymentServer(): Promise<PaymentServer> {
  const receiver = await startReceiver()
  const secret = 'whsec_of_the_payment_server'
  const charges = new Map<string, MadeCharge>()
  let how: HowToCharge = 'succeeded'

  function charge(request: ReceivedRequest, key: string): Answer {
    const form = formOf(request)
    const known = charges.get(key)
    const made = known ?? {
      intent: `pi_${key}`,
      cents: Number(form['amount']),
      customer: form['customer'] ?? '',
      method: form['payment_method'] ?? '',
      how,
    }
    charges.set(key, made)
    if (made.how === 'lost' && known === undefined) return 'reset'
    const payment_intent = describeIntent(made, key)
    if (typeof made.how !== 'object') return answer(200, payment_intent)
    const error = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: made.how.declined,
      payment_intent,
    }
    return answer(402, { error })
  }

  const recover = (): void => {
    receiver.answerWith((request) => {
      const key = String(request.headers['idempotency-key'] ?? 'none')
      const [, , what = '', id = ''] = request.path.split('/')
      if (what === 'customers') return answer(200, { id: `cus_${key}` })
      if (what === 'payment_methods')
        return answer(200, { id, type: 'card', card: { brand: 'visa', last4: '4242' } })
      if (what === 'payment_intents' && id === '') return charge(request, key)
      if (what === 'payment_intents') {
        const made = charges.get(id.slice('pi_'.length))
        return made === undefined
          ? answer(404, {})
          : answer(200, describeIntent(made, id.slice('pi_'.length)))
      }
      // The same page for the same key, as the provider has it.
      return answer(200, { id: `cs_test_${key}`, url: `${receiver.url}/pay/cs_test_${key}` })
    })
  }
  recover()
  return {
    ...receiver,
    secret,
    recover,
    charges,
    chargeAs: (next) => {
      how = next
    },
    failWith: (status) => receiver.answerWith(answer(status, { error: { message: 'no' } })),
    sign: (body, { at = Math.floor(Date.now() / 1000), secret: by = secret } = {}) =>
      `t=${at},v1=${createHmac('sha256', by).update(`${at}.${body}`).digest('hex')}`,
  }
}

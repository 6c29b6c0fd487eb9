import { createHmac } from 'node:crypto'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import type { Answer } from '#scripts/lab/receiver/give-answer.ts'
import type { ReceivedRequest } from '#scripts/lab/receiver/receive-requests.ts'

/** A payment provider on the loopback that opens pages, charges, and signs its events. */
export interface PaymentServer extends Receiver {
  secret: string
  /** returns `Stripe-Signature` for a body; @param options.at seconds since the epoch, now by default */
  sign: (body: string, options?: { at?: number; secret?: string }) => string
  /** answers every request with this status until told otherwise */
  failWith: (status: number) => void
  recover: () => void
  /** The charges by idempotency key: one key charges once while it is remembered. */
  charges: Map<string, MadeCharge>
  /** Sets the result of charges with new keys. */
  chargeAs: (how: HowToCharge) => void
  /** Every payment intent, including those of charges, oldest first. */
  intents: MadeCharge[]
  /** Forgets the keys, as after 24 hours: a request with an old key is then new. */
  forgetKeys: () => void
  /** Payment methods that were detached from their customer, in order. */
  detached: string[]
  /** Opened pages, by session name. */
  pages: Map<string, 'open' | 'complete' | 'expired'>
  /** The refunds and disputes that the provider lists. */
  refunds: Record<string, unknown>[]
  disputes: Record<string, unknown>[]
}

export interface MadeCharge {
  intent: string
  cents: number
  customer: string
  method: string
  how: HowToCharge
  /** id of its payment */
  payment?: string
  /** seconds since the epoch; now by default */
  created?: number
  currency?: string
  /** cents that were refunded */
  refunded?: number
}
/** `declined` with the given code; `lost`: charged, but the connection breaks before the first answer. */
export type HowToCharge = 'succeeded' | 'processing' | 'lost' | { declined: string }

const headers = { 'content-type': 'application/json' }
const answer = (status: number, body: unknown): Answer => ({ status, headers, body: JSON.stringify(body) })
const refuse = (status: number, code: string): Answer =>
  answer(status, { error: { type: 'invalid_request_error', code, message: 'no' } })

/** Parses the fields of a posted form. */
export function formOf({ body }: { body: string }): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body))
}

/** A PaymentIntent, as in an answer and in an event. */
export function describeIntent(made: MadeCharge, payment: string): Record<string, unknown> {
  const { intent, cents, customer, method, how, currency = 'usd', refunded = 0 } = made
  const isDeclined = typeof how === 'object'
  const isPaid = !isDeclined && how !== 'processing'
  return {
    id: intent,
    created: made.created ?? Math.floor(Date.now() / 1000),
    status: isDeclined ? 'requires_payment_method' : how === 'processing' ? how : 'succeeded',
    amount: cents,
    amount_received: isPaid ? cents : 0,
    currency,
    customer,
    payment_method: method,
    last_payment_error: isDeclined ? { code: 'card_declined', decline_code: how.declined } : null,
    metadata: { payment_id: payment },
    latest_charge: isPaid ? { id: `ch_${intent}`, amount_refunded: refunded } : null,
  }
}

export async function startPaymentServer(): Promise<PaymentServer> {
  const receiver = await startReceiver()
  const secret = 'whsec_of_the_payment_server'
  const charges = new Map<string, MadeCharge>()
  const intents: MadeCharge[] = []
  const detached: string[] = []
  const pages = new Map<string, 'open' | 'complete' | 'expired'>()
  const refunds: Record<string, unknown>[] = []
  const disputes: Record<string, unknown>[] = []
  let how: HowToCharge = 'succeeded'

  function charge(request: ReceivedRequest, key: string): Answer {
    const form = formOf(request)
    const known = charges.get(key)
    const payment = form['metadata[payment_id]'] ?? key
    const before = intents.filter((made) => made.payment === payment).length
    const made = known ?? {
      intent: `pi_${key}${before === 0 ? '' : `_${before}`}`,
      cents: Number(form['amount']),
      customer: form['customer'] ?? '',
      method: form['payment_method'] ?? '',
      how,
      payment,
    }
    charges.set(key, made)
    if (known === undefined) intents.push(made)
    if (made.how === 'lost' && known === undefined) return 'reset'
    const payment_intent = describeIntent(made, payment)
    if (typeof made.how !== 'object') return answer(200, payment_intent)
    const error = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: made.how.declined,
      payment_intent,
    }
    return answer(402, { error })
  }

  /** One page of a list, newest first. */
  function list(rows: readonly Record<string, unknown>[], query: URLSearchParams): Answer {
    const since = Number(query.get('created[gte]') ?? 0)
    const all = rows.toReversed().filter((row) => Number(row['created']) >= since)
    const after = query.get('starting_after')
    const begin = after === null ? 0 : all.findIndex((row) => row['id'] === after) + 1
    const end = begin + Number(query.get('limit') ?? 10)
    return answer(200, { object: 'list', data: all.slice(begin, end), has_more: all.length > end })
  }

  function answerIntents(request: ReceivedRequest, id: string, query: URLSearchParams): Answer {
    const key = String(request.headers['idempotency-key'] ?? 'none')
    if (request.method === 'POST') return charge(request, key)
    const made = intents.find(({ intent }) => intent === id)
    if (id !== '')
      return made === undefined
        ? refuse(404, 'resource_missing')
        : answer(200, describeIntent(made, made.payment ?? ''))
    const customer = query.get('customer')
    const rows = intents
      .filter((one) => customer === null || one.customer === customer)
      .map((one) => describeIntent(one, one.payment ?? ''))
    return list(rows, query)
  }

  function answerPages(key: string, id: string, act: string): Answer {
    if (act === 'expire') {
      if (pages.get(id) !== 'open') return refuse(400, 'resource_missing')
      pages.set(id, 'expired')
      return answer(200, { id })
    }
    // The same key returns the same page, as at the provider.
    const page = `cs_test_${key}`
    if (!pages.has(page)) pages.set(page, 'open')
    return answer(200, { id: page, url: `${receiver.url}/pay/${page}` })
  }

  function answerMethods(id: string, act: string): Answer {
    if (act === '') return answer(200, { id, type: 'card', card: { brand: 'visa', last4: '4242' } })
    if (detached.includes(id)) return refuse(400, 'payment_method_unexpected_state')
    detached.push(id)
    return answer(200, { id })
  }

  const recover = (): void => {
    receiver.answerWith((request) => {
      const key = String(request.headers['idempotency-key'] ?? 'none')
      const { pathname, searchParams } = new URL(request.path, receiver.url)
      const [, , what = '', id = '', act = '', more = ''] = pathname.split('/')
      switch (what) {
        case 'customers':
          return answer(200, { id: `cus_${key}` })
        case 'payment_methods':
          return answerMethods(id, act)
        case 'payment_intents':
          return answerIntents(request, id, searchParams)
        case 'refunds':
          return list(refunds, searchParams)
        case 'disputes':
          return list(disputes, searchParams)
        default:
          return answerPages(key, act, more)
      }
    })
  }
  recover()
  return {
    ...receiver,
    secret,
    recover,
    charges,
    intents,
    detached,
    pages,
    refunds,
    disputes,
    forgetKeys: () => charges.clear(),
    chargeAs: (next) => {
      how = next
    },
    failWith: (status) => receiver.answerWith(answer(status, { error: { message: 'no' } })),
    sign: (body, { at = Math.floor(Date.now() / 1000), secret: by = secret } = {}) =>
      `t=${at},v1=${createHmac('sha256', by).update(`${at}.${body}`).digest('hex')}`,
  }
}

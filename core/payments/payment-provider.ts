import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { askServiceForAnswer, askServiceForJson, ServiceError, type Question } from '../http/ask-service.ts'
import type { ReportedDispute, ReportedPayment } from '../domain/market/payments/compare-payment.ts'
import { listReportedDisputes, listReportedPayments } from './list-money.ts'
import { listAll, type AskProvider } from './list-all.ts'
import { intentSchema, readCharge, readIntent, type Charge } from './read-charge.ts'

/** Longer than any of its answers takes; no lock is held meanwhile. */
export const PROVIDER_TIMEOUT_MS = 10_000

const namedSchema = z.object({ id: z.string().min(1).max(255) })
const pageSchema = namedSchema.extend({ url: z.url({ protocol: /^https?$/ }).max(4000) })
const methodSchema = z.object({
  type: z.string().max(40),
  card: z.object({ brand: z.string().max(30), last4: z.string().max(4) }).nullish(),
})

const namedIntentSchema = intentSchema.extend({
  metadata: z.object({ payment_id: z.string().optional() }).nullish(),
})
/** Allowed difference between the provider's clock and PostgreSQL's. */
const CLOCKS_DIFFER_SECONDS = 3600

/** A charge without the client present, by a stored payment method. */
export interface ChargeToMake {
  /** the payment's id: if it is sent twice, the provider charges once */
  id: string
  cents: number
  customer: string
  method: string
}

/** The payment provider: opens and closes its payment pages, and makes charges without one. */
export interface PaymentProvider {
  /**
   * Returns the provider's name for a client. The provider gets only the client's id.
   * @throws if the provider refuses or is away; so do all functions here
   */
  createCustomer: (clientId: string) => Promise<string>
  /**
   * Returns the same page however often it is asked.
   * @param payment.keepFor the customer for whom the payment method is stored
   */
  openPage: (payment: {
    id: string
    cents: number
    keepFor: string | undefined
  }) => Promise<{ session_id: string; url: string }>
  /** Closes a page: nobody can pay there any more. A payment that was already made stays. */
  closePage: (sessionId: string) => Promise<void>
  /** @throws if it is unknown whether anything was charged */
  charge: (charge: ChargeToMake) => Promise<Charge>
  /**
   * Reads the outcome of a charge.
   * @throws if it is unknown, for example after a refused look-up
   */
  findCharge: (intent: string) => Promise<Charge>
  /**
   * Looks up a charge whose answer was lost; undefined if the provider does not know it.
   * @param charge.begun when it was begun
   */
  lookUpCharge: (charge: { id: string; customer: string; begun: Date }) => Promise<Charge | undefined>
  /** Lists every payment and every dispute that the provider has since then, as the caller takes them. */
  listPayments: (since: Date) => AsyncIterable<ReportedPayment>
  listDisputes: (since: Date) => AsyncIterable<ReportedDispute>
  /** "Visa ending in 4242" */
  describeMethod: (method: string) => Promise<string>
  /** Removes a payment method, so that nobody can charge it any more. Repeating it does no harm. */
  forgetMethod: (method: string) => Promise<void>
}

/** Uses Stripe's Checkout and PaymentIntents. Returns undefined if no provider is configured. */
export function openPaymentProvider({
  payments,
  http,
}: Pick<Config, 'payments' | 'http'>): PaymentProvider | undefined {
  if (payments === undefined) return undefined
  const about: AskProvider = (path, form, key) => ({
    url: `${payments.url}/v1/${path}`,
    timeoutMs: PROVIDER_TIMEOUT_MS,
    headers: {
      authorization: `Bearer ${payments.secretKey}`,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(form !== undefined && { form }),
  })
  return {
    createCustomer: async (id) => {
      const form = { 'metadata[client_user_id]': id }
      return namedSchema.parse(await askServiceForJson(about('customers', form, `customer-${id}`))).id
    },
    openPage: async ({ id, cents, keepFor }) => {
      const back = `${http.publicUrl}/settings?tab=billing&payment=${id}`
      const form = {
        mode: 'payment',
        client_reference_id: id,
        'metadata[payment_id]': id,
        'payment_intent_data[metadata][payment_id]': id,
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': 'usd',
        'line_items[0][price_data][unit_amount]': String(cents),
        'line_items[0][price_data][product_data][name]': 'Leadwire balance',
        success_url: back,
        cancel_url: back,
        ...(keepFor !== undefined && {
          customer: keepFor,
          'payment_intent_data[setup_future_usage]': 'off_session',
        }),
      }
      const { id: session_id, url } = pageSchema.parse(
        await askServiceForJson(about('checkout/sessions', form, id)),
      )
      return { session_id, url }
    },
    closePage: async (sessionId) => {
      await end(about(`checkout/sessions/${encodeURIComponent(sessionId)}/expire`, {}))
    },
    charge: async ({ id, cents, customer, method }) => {
      const form = {
        amount: String(cents),
        currency: 'usd',
        customer,
        payment_method: method,
        off_session: 'true',
        confirm: 'true',
        'metadata[payment_id]': id,
      }
      return readCharge(await askServiceForAnswer(about('payment_intents', form, id)))
    },
    findCharge: async (intent) => {
      const answer = await askServiceForAnswer(about(`payment_intents/${encodeURIComponent(intent)}`))
      if (answer.status < 200 || answer.status > 299)
        throw new ServiceError(`The payment provider answered ${answer.status}`)
      return readCharge(answer)
    },
    lookUpCharge: async ({ id, customer, begun }) => {
      const since = Math.floor(begun.getTime() / 1000) - CLOCKS_DIFFER_SECONDS
      const query = { customer, 'created[gte]': String(since) }
      let found: Charge | undefined
      for await (const intent of listAll(about, 'payment_intents', { row: namedIntentSchema, query })) {
        if (intent.metadata?.payment_id !== id) continue
        const charge = readIntent(intent)
        // This attempt was paid, whatever else was tried for the charge.
        if (charge.outcome === 'succeeded') return charge
        if (found?.outcome !== 'processing') found = charge
      }
      return found
    },
    listPayments: (since) => listReportedPayments(about, since),
    listDisputes: (since) => listReportedDisputes(about, since),
    describeMethod: async (method) => {
      const asked = about(`payment_methods/${encodeURIComponent(method)}`)
      const { type, card } = methodSchema.parse(await askServiceForJson(asked))
      if (card === undefined || card === null) return nameWord(type)
      return `${nameWord(card.brand)} ending in ${card.last4}`
    },
    forgetMethod: async (method) => {
      await end(about(`payment_methods/${encodeURIComponent(method)}/detach`, {}))
    },
  }
}

/** The provider refuses to end something that is over already or never existed: then nothing is left to do. */
async function end(question: Question): Promise<void> {
  const { status } = await askServiceForAnswer(question)
  if ((status < 200 || status > 299) && status !== 400 && status !== 404)
    throw new ServiceError(`The payment provider answered ${status}`)
}

/** `us_bank_account` is "Us bank account". */
function nameWord(word: string): string {
  const text = word.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

import { z } from 'zod'
import type { Config } from '#core/config/config.ts'
import { askServiceForJson } from '../../http/ask-service.ts'

const TIMEOUT_MS = 10_000

const sessionSchema = z.object({
  id: z.string().min(1).max(255),
  url: z.url({ protocol: /^https?$/ }).max(4000),
})

/** The payment provider's own page, opened for one payment and ended. */
export interface PaymentProvider {
  /** The same page however often it is asked for; @throws when the provider refuses or is away */
  openPage: (payment: { id: string; cents: number }) => Promise<{ session_id: string; url: string }>
  /** @throws when the provider refuses, as it does for what is paid already */
  closePage: (sessionId: string) => Promise<void>
}

/** Speaks Stripe's Checkout. Undefined where no provider is configured. */
export function openPaymentProvider({
  payments,
  http,
}: Pick<Config, 'payments' | 'http'>): PaymentProvider | undefined {
  if (payments === undefined) return undefined
  const sessionsUrl = `${payments.url}/v1/checkout/sessions`
  const headers = { authorization: `Bearer ${payments.secretKey}` }
  return {
    openPage: async ({ id, cents }) => {
      const back = `${http.publicUrl}/settings?tab=billing&payment=${id}`
      const answer = await askServiceForJson({
        url: sessionsUrl,
        timeoutMs: TIMEOUT_MS,
        // Asked twice for one payment, the provider answers the same page.
        headers: { ...headers, 'idempotency-key': id },
        form: {
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
        },
      })
      const { id: session_id, url } = sessionSchema.parse(answer)
      return { session_id, url }
    },
    closePage: async (sessionId) => {
      const url = `${sessionsUrl}/${encodeURIComponent(sessionId)}/expire`
      await askServiceForJson({ url, timeoutMs: TIMEOUT_MS, headers, form: {} })
    },
  }
}

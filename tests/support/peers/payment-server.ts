import { createHmac } from 'node:crypto'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'

/** A payment provider on the loopback: opens pages, and signs what it tells. */
export interface PaymentServer extends Receiver {
  secret: string
  /** `Stripe-Signature` of a body; @param options.at seconds since the epoch, now if left out */
  sign: (body: string, options?: { at?: number; secret?: string }) => string
  /** answers every request so, until it is told otherwise */
  failWith: (status: number) => void
  recover: () => void
}

/** The fields of a form that it was sent. */
export function formOf({ body }: { body: string }): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body))
}

export async function startPaymentServer(): Promise<PaymentServer> {
  const receiver = await startReceiver()
  const secret = 'whsec_of_the_payment_server'
  const headers = { 'content-type': 'application/json' }
  const recover = (): void => {
    receiver.answerWith((request) => {
      // The same page for the same key, as the provider has it.
      const id = `cs_test_${String(request.headers['idempotency-key'] ?? 'none')}`
      return { status: 200, headers, body: JSON.stringify({ id, url: `${receiver.url}/pay/${id}` }) }
    })
  }
  recover()
  return {
    ...receiver,
    secret,
    recover,
    failWith: (status) => receiver.answerWith({ status, headers, body: '{"error":{"message":"no"}}' }),
    sign: (body, { at = Math.floor(Date.now() / 1000), secret: by = secret } = {}) =>
      `t=${at},v1=${createHmac('sha256', by).update(`${at}.${body}`).digest('hex')}`,
  }
}

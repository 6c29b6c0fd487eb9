import { describeIntent } from '#tests/support/peers/payment-server.ts'

/** The time by the provider's clock. */
const NOW = Math.floor(Date.now() / 1000)
let events = 0

/** Creates an event of the provider; its id is new unless `id` is given. */
export function eventOf(
  type: string,
  object: Record<string, unknown>,
  { id, created }: { id?: string | undefined; created?: number | undefined } = {},
): string {
  events += 1
  return JSON.stringify({ id: id ?? `evt_${events}`, type, created, data: { object } })
}

/** Creates the event about a payment page for $50. */
export function eventOfPage(
  payment: string,
  session: Record<string, unknown> = {},
  type = 'completed',
  id?: string,
): string {
  const object = {
    id: `cs_test_${payment}`,
    client_reference_id: payment,
    amount_total: 5000,
    currency: 'usd',
    payment_status: 'paid',
    payment_intent: `pi_${payment}`,
    ...session,
  }
  return eventOf(`checkout.session.${type}`, object, { id })
}

/** Creates the event about a payment's money. */
export function eventOfIntent(
  payment: string,
  fields: Record<string, unknown> = {},
  type = 'succeeded',
  created?: number,
): string {
  const made = { intent: `pi_${payment}`, cents: 5000, customer: 'cus_1', method: `pm_${payment}` }
  const how = type === 'payment_failed' ? { declined: 'expired_card' } : 'succeeded'
  const object = { ...describeIntent({ ...made, how }, payment), ...fields }
  return eventOf(`payment_intent.${type}`, object, { created })
}

export function disputeOf(
  payment: string,
  status: string,
  type = 'created',
  fields = {},
  created?: number,
): string {
  const object = { id: `du_${payment}`, amount: 5000, currency: 'usd', payment_intent: `pi_${payment}` }
  return eventOf(`charge.dispute.${type}`, { ...object, status, ...fields }, { created })
}
export function refundOf(payment: string, cents: number, fields = {}, created = NOW): string {
  const object = {
    id: `ch_${payment}`,
    amount_refunded: cents,
    currency: 'usd',
    payment_intent: `pi_${payment}`,
  }
  return eventOf('charge.refunded', { ...object, metadata: { payment_id: payment }, ...fields }, { created })
}

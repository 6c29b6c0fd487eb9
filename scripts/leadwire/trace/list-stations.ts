import type { LeadStory } from '#core/contract/leads/admin-lead.ts'
import type { LeadDecision } from '#core/contract/market/decision.ts'
import type { LeadTrace, TracedAttempt, TracedDelivery, TracedEvent } from '#core/data/leads/lead-trace.ts'
import { hostOf } from '#core/data/webhooks/endpoint-host.ts'

/** A place that a lead has passed. Texts hold ids, statuses and reasons, never personal data. */
export interface Station {
  at: string
  station: string
  text: string
  /** ids of the rows that it is about */
  ids: Record<string, string>
}

/** Everything that is known about a lead. */
export interface Known {
  story: LeadStory
  trace: LeadTrace
  decision: Omit<LeadDecision, 'windows'> | undefined
}

/** Events that another station tells better, with more of what happened. */
const TOLD_ELSEWHERE = /^(delivery\.(succeeded|failed)|lead\.(returned|erased|return_requested))$/

/** Every station of a lead, oldest first. */
export function listStations({ story, trace, decision }: Known): Station[] {
  const stations = [
    ...listReceipt(story),
    ...trace.events.filter(({ type }) => !TOLD_ELSEWHERE.test(type)).map(describeEvent),
    ...(decision === undefined ? [] : [describeDecision(decision)]),
    ...story.holders.map(({ assignment_id, client, order, price, state, assigned_at }): Station => ({
      at: assigned_at,
      station: 'sold',
      text: `for ${price}${state === 'active' ? '' : `, now ${state}`}`,
      ids: { assignment: assignment_id, client: client.user_id, ...(order !== null && { order: order.id }) },
    })),
    ...trace.deliveries.flatMap(describeDelivery),
    ...trace.attempts.map((attempt) => describeAttempt(attempt, trace.deliveries)),
    ...story.returns.flatMap(({ id, reason, status, created_at, decided_at, client }): Station[] => [
      { at: created_at, station: 'return asked', text: reason, ids: { return: id, client: client.user_id } },
      ...(decided_at === null
        ? []
        : [{ at: decided_at, station: `return ${status}`, text: '', ids: { return: id } }]),
    ]),
  ]
  return stations
    .map((one, place) => ({ one, place }))
    .toSorted((a, b) => Date.parse(a.one.at) - Date.parse(b.one.at) || a.place - b.place)
    .map(({ one }) => one)
}

function listReceipt({ id, receipt }: LeadStory): Station[] {
  const { source, received_at, erased_at, duplicate_of, reject_reason } = receipt
  const from = source === null ? 'by hand' : `from ${source.name}`
  const notes = [
    duplicate_of === null ? '' : `, a duplicate of ${duplicate_of}`,
    reject_reason === null ? '' : `, rejected: ${reject_reason}`,
  ]
  const received: Station = {
    at: received_at,
    station: 'received',
    text: `${from}${notes.join('')}`,
    ids: { lead: id, ...(source !== null && { source: source.id }) },
  }
  const erased = { station: 'erased', text: 'nothing of the person is left', ids: { lead: id } }
  return erased_at === null ? [received] : [received, { at: erased_at, ...erased }]
}

function describeEvent(event: TracedEvent): Station {
  const { id, type, created_at: at, enqueued_at, planned_at, failures, failed_at } = event
  const after = (then: Date | null) =>
    then === null ? undefined : `${then.getTime() - at.getTime()} ms later`
  const parts = [
    enqueued_at === null ? 'not enqueued yet' : `enqueued ${after(enqueued_at)}`,
    planned_at === null ? 'NOT PLANNED' : `planned ${after(planned_at)}`,
    ...(failures > 0 ? [`${failures} failure(s)`] : []),
    ...(failed_at === null ? [] : [`GIVEN UP ${after(failed_at)}`]),
  ]
  return { at: at.toISOString(), station: type, text: parts.join(', '), ids: { event: id } }
}

function describeDecision(decision: Omit<LeadDecision, 'windows'>): Station {
  const { decided_at, outcome, reason, refused, tries, order_id, client_user_id, held_until } = decision
  const counts = Object.entries(refused).map(([why, count]) => `${why} ${count}`)
  const parts = [
    `${outcome}${reason === null ? '' : ` (${reason})`} at try ${tries}`,
    ...(counts.length === 0 ? [] : [`refused orders: ${counts.join(', ')}`]),
    ...(held_until === null ? [] : [`offered again until ${held_until}`]),
  ]
  return {
    at: new Date(decided_at).toISOString(),
    station: 'judged',
    text: parts.join('; '),
    ids: {
      ...(order_id !== null && { order: order_id }),
      ...(client_user_id !== null && { client: client_user_id }),
    },
  }
}

function describeDelivery(delivery: TracedDelivery): Station[] {
  const {
    id,
    event_id,
    webhook_config_id: webhook,
    client_user_id: client,
    state,
    created_at,
    endpoint_url,
  } = delivery
  const where = endpoint_url === null ? 'a deleted webhook' : hostOf(endpoint_url)
  const planned: Station = {
    at: created_at.toISOString(),
    station: delivery.resend_of === null ? 'delivery planned' : 'delivery resent',
    text: `to ${where}, now ${state}${describeWait(delivery)}`,
    ids: {
      delivery: id,
      webhook,
      client,
      event: event_id,
      ...(delivery.resend_of !== null && { of: delivery.resend_of }),
    },
  }
  const { finished_at: end, failure_class: failure, cancelled_by: by } = delivery
  if (end === null) return [planned]
  const why = failure === null ? '' : ` (${failure})`
  const text = `after ${delivery.attempt} attempt(s)${why}${by === null ? '' : `, by ${by}`}`
  return [planned, { at: end.toISOString(), station: `delivery ${state}`, text, ids: { delivery: id } }]
}

function describeWait({
  state,
  next_attempt_at: next,
  lease_until: lease,
  offered_until: offered,
  rate_limit: limit,
}: TracedDelivery): string {
  if (state === 'held' && offered !== null) return `, its owner may send it until ${offered.toISOString()}`
  if (state !== 'pending') return ''
  if (lease !== null) return `, leased until ${lease.toISOString()}`
  if (next === null) return ''
  const waits =
    limit === null || next > new Date() ? '' : `, waits for the webhook's ${limit} requests a minute`
  return `, due ${next.toISOString()}${waits}`
}

function describeAttempt(attempt: TracedAttempt, deliveries: readonly TracedDelivery[]): Station {
  const { id, delivery_id, attempt_number, delivery_status, response_status, processing_time_ms } = attempt
  const delivery = deliveries.find((one) => one.id === delivery_id)
  const answer = response_status === null ? (attempt.error_class ?? 'no answer') : `status ${response_status}`
  const took = processing_time_ms === null ? '' : ` in ${processing_time_ms} ms`
  const next = attempt.next_attempt_at === null ? '' : `; next ${attempt.next_attempt_at.toISOString()}`
  return {
    at: attempt.created_at.toISOString(),
    station: `attempt ${attempt_number}`,
    text: `${delivery_status}: ${answer}${took}${next}`,
    ids: {
      attempt: id,
      delivery: delivery_id,
      ...(delivery !== undefined && { webhook: delivery.webhook_config_id }),
    },
  }
}

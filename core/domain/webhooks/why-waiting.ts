import type { EndpointStanding, PresentWorkers, WaitCode } from '#core/contract/operations/waits.ts'

/** Why a delivery has not begun. `count`: requests under way, or deliveries before it, where the reason is one of number. */
export interface WaitReason {
  code: WaitCode
  until: Date | null
  count: number
}

/** One delivery that has not come to its end. */
export interface UnfinishedDelivery {
  state: 'pending' | 'held'
  /** null while it is held */
  due_at: Date | null
  /** a worker has it: its lease is live */
  is_leased: boolean
  /** it finds out whether its endpoint is back */
  is_probe: boolean
  /** due at the same endpoint for longer, and not begun either */
  before: number
}

/** Its configuration and its endpoint. */
export interface EndpointOfDelivery {
  is_active: boolean
  breaker: 'closed' | 'open'
  /** when an endpoint with an open breaker is tried again */
  probe_at: Date | null
  /** undefined where nobody knows */
  standing: EndpointStanding | undefined
  in_flight: number
}

/** What of its client, and of everybody, is under way. */
export interface Traffic {
  /** of the client, at all his endpoints, and at those that have never answered */
  of_client: number
  of_client_at_new: number
  /** clients with something due or in flight */
  clients: number
  in_flight: number
}

/** Who carries deliveries; what only Redis knows. */
export interface Carriage {
  workers: PresentWorkers
  is_paused: boolean
}

/** How many requests at once (core/fairness/limits.ts, WEBHOOK_ENDPOINT_CONCURRENCY), and the part of the slots left free. */
export interface WaitLimits {
  newAtOnce: number
  newPerClient: number
  endpointAtOnce: number
  reserve: number
}

/**
 * The first reason that holds, from what stops a delivery whatever the others do to what makes it wait for its turn.
 * @param carriage null while Redis is away
 */
export function findWaitReason(
  delivery: UnfinishedDelivery,
  endpoint: EndpointOfDelivery,
  traffic: Traffic,
  carriage: Carriage | null,
  limits: WaitLimits,
  now: Date,
): WaitReason {
  if (delivery.is_leased) return because('in_progress')
  if (!endpoint.is_active) return because('switched_off')
  if (delivery.due_at !== null && delivery.due_at > now) return because('not_due', { until: delivery.due_at })
  if (endpoint.breaker === 'open' && !delivery.is_probe)
    return because('breaker_open', { until: endpoint.probe_at })
  if (carriage === null) return because('redis_away')
  if (carriage.workers.count === 0) return because('no_worker')
  if (carriage.is_paused) return because('queue_paused')
  return findWhoIsBefore(delivery, endpoint, traffic, carriage.workers.slots, limits)
}

/** It could go: who or what has the room that it needs? */
function findWhoIsBefore(
  { before }: UnfinishedDelivery,
  { standing, in_flight: here }: EndpointOfDelivery,
  traffic: Traffic,
  slots: number,
  limits: WaitLimits,
): WaitReason {
  const { of_client: own, of_client_at_new: ownNew } = traffic
  const share = Math.max(1, Math.floor((slots * (1 - limits.reserve)) / Math.max(1, traffic.clients)))
  if (standing === 'new' && here >= limits.newAtOnce) return because('endpoint_new', { count: here })
  if (standing === 'new' && ownNew >= limits.newPerClient) return because('newcomers', { count: ownNew })
  if (standing === 'slow') return because('endpoint_slow', { count: here })
  if (here >= limits.endpointAtOnce) return because('endpoint_full', { count: here })
  if (own >= share) return because('client_share', { count: own })
  if (traffic.in_flight >= slots) return because('slots_full')
  return before > 0 ? because('behind_own', { count: before }) : because('next')
}

function because(code: WaitCode, { until = null, count = 0 }: Partial<WaitReason> = {}): WaitReason {
  return { code, until, count }
}

/** One sentence, without the time in `until`: whoever reads it has a zone of his own. */
export function wordWaitReason({ code, count }: WaitReason): string {
  const requests = count === 1 ? '1 request' : `${count.toLocaleString('en-US')} requests`
  switch (code) {
    case 'in_progress':
      return 'A worker has it and is sending it.'
    case 'switched_off':
      return 'The webhook is switched off. It goes out when the webhook is on again.'
    case 'not_due':
      return 'Its next attempt is planned for later.'
    case 'breaker_open':
      return 'The endpoint does not answer. It is held until a single try gets an answer.'
    case 'redis_away':
      return 'Redis does not answer, so nobody knows why. Deliveries go on without it.'
    case 'no_worker':
      return 'No worker runs. It goes out when one is started.'
    case 'queue_paused':
      return 'A queue of deliveries is paused.'
    case 'endpoint_new':
      return `The endpoint has never answered, and ${requests} to it ${are(count)} under way. It waits for the first answer.`
    case 'newcomers':
      return `The client has ${requests} under way to endpoints that have never answered. It waits for one of them.`
    case 'endpoint_slow':
      return `The endpoint is slow, so it gets few requests at a time; ${requests} ${are(count)} under way.`
    case 'endpoint_full':
      return `The endpoint has ${requests} under way, as many as one gets at a time.`
    case 'client_share':
      return `The client has ${requests} under way: a full share of the slots while others wait.`
    case 'slots_full':
      return 'Every slot of every worker is in use.'
    case 'behind_own': {
      const deliveries = count === 1 ? '1 delivery' : `${count.toLocaleString('en-US')} deliveries`
      return `${deliveries} to the same endpoint ${are(count)} before it.`
    }
    case 'next':
      return 'It is next: a worker takes it in a moment.'
  }
}

const are = (count: number): string => (count === 1 ? 'is' : 'are')

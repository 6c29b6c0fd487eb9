import type { EndpointStanding, PresentWorkers, WaitCode } from '#core/contract/operations/waits.ts'
import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { isOpening } from './sending-hours/find-sending-time.ts'

/**
 * The reason why a delivery has not begun. `count`: number of requests under way, or of deliveries before it, if the
 * reason depends on a number.
 */
export interface WaitReason {
  code: WaitCode
  until: Date | null
  count: number
}

/** One unfinished delivery. */
export interface UnfinishedDelivery {
  state: 'pending' | 'held'
  /** null while it is held */
  due_at: Date | null
  /** whether a worker has it, by a live lease */
  is_leased: boolean
  /** whether it is the probe of its endpoint */
  is_probe: boolean
  /** whether it is a retry, or the excess of a burst */
  gives_way: boolean
  /** whether it is held for its owner to send or discard, because its webhook was off when it was planned */
  is_offered: boolean
}

/** The configuration and the endpoint of a delivery. */
export interface EndpointOfDelivery {
  is_active: boolean
  /** whether administrators have paused all sending to its client; left out: no */
  is_paused?: boolean
  breaker: 'closed' | 'open'
  /** when an endpoint with an open breaker is tried again */
  probe_at: Date | null
  /** undefined if unknown */
  speed: EndpointStanding | undefined
  /** whether its last attempt got no answer, or one that asks for less */
  is_strained: boolean
  /** whether its last deliveries were heavy (worker/dispatch/heavy-payloads.ts) */
  is_heavy: boolean
  in_flight: number
  /** the sending hours of its configuration; null, or left out, means always */
  sending_hours?: SendingHours | null
  /** when its limit of requests a minute allows the next one; null, or left out, means that it has none */
  next_token_at?: Date | null
}

/** Requests under way, by the speed classes of their endpoints. */
export type UnderWay = Readonly<Record<EndpointStanding, number>>

/** The requests under way of its client, and of all clients. */
export interface Traffic {
  own: UnderWay
  all: UnderWay
  /** clients with something due or in flight */
  clients: number
}

/** The workers that send deliveries; only Redis knows this. */
export interface Carriage {
  workers: PresentWorkers
  is_paused: boolean
}

/**
 * The reason why a delivery gets no slot, by the rule that workers use (core/fairness/judge-room.ts); undefined if it
 * could get one.
 */
export type JudgeRoom = (
  asked: {
    speed: EndpointStanding
    here: number
    own: UnderWay
    all: UnderWay
    isAlone: boolean
    isLowPriority: boolean
  },
  workers: PresentWorkers,
) => NoRoom | undefined
export type NoRoom = Extract<
  WaitCode,
  | 'endpoint_new'
  | 'endpoint_full'
  | 'newcomers'
  | 'new_full'
  | 'endpoint_slow'
  | 'client_share'
  | 'slots_full'
  | 'gives_way'
>

/**
 * The first reason that applies: reasons that stop a delivery regardless of others come first, those that make it wait
 * for its turn last.
 * @param carriage null while Redis is away
 */
export function findWaitReason(
  delivery: UnfinishedDelivery,
  endpoint: EndpointOfDelivery,
  traffic: Traffic,
  carriage: Carriage | null,
  judgeRoom: JudgeRoom,
  now: Date,
): WaitReason {
  if (delivery.is_leased) return because('in_progress')
  if (delivery.is_offered) return because('offered')
  if (!endpoint.is_active) return because('switched_off')
  if (endpoint.is_paused === true) return because('sending_paused')
  if (delivery.due_at !== null && delivery.due_at > now) {
    const isForHours = isOpening(endpoint.sending_hours ?? null, delivery.due_at)
    return because(isForHours ? 'outside_hours' : 'not_due', { until: delivery.due_at })
  }
  if (endpoint.breaker === 'open' && !delivery.is_probe)
    return because('breaker_open', { until: endpoint.probe_at })
  const token = endpoint.next_token_at ?? null
  if (token !== null && token > now) return because('endpoint_rate', { until: token })
  if (carriage === null) return because('redis_away')
  if (carriage.workers.count === 0) return because('no_worker')
  if (carriage.is_paused) return because('queue_paused')
  return findNoRoom(delivery, endpoint, traffic, carriage.workers, judgeRoom)
}

/** Finds the limit that keeps an otherwise sendable delivery waiting. */
function findNoRoom(
  { gives_way: isLowPriority }: UnfinishedDelivery,
  { speed = 'proved', is_strained: isStrained, is_heavy: isHeavy, in_flight: here }: EndpointOfDelivery,
  { own, all, clients }: Traffic,
  workers: PresentWorkers,
  judgeRoom: JudgeRoom,
): WaitReason {
  const code = judgeRoom({ speed, here, own, all, isAlone: clients <= 1, isLowPriority }, workers)
  switch (code) {
    case 'endpoint_new':
    case 'endpoint_full':
      return because(code, { count: here })
    case 'newcomers':
      return because(code, { count: own.new })
    case 'new_full':
      return because(code, { count: all.new })
    case 'endpoint_slow':
      return because(code, { count: all.slow })
    case 'client_share':
      return because(code, { count: own.new + own.proved + own.slow })
    case 'slots_full':
      return because(code)
    case 'gives_way':
    case undefined:
      // Only its worker knows the lowered limit.
      if ((isStrained || speed === 'slow') && here > 0) return because('endpoint_strained', { count: here })
      // Only each worker knows whether its token bucket is empty.
      if (isHeavy && clients > 1) return because('heavy_payloads')
      return because(code ?? 'next')
  }
}

function because(code: WaitCode, { until = null, count = 0 }: Partial<WaitReason> = {}): WaitReason {
  return { code, until, count }
}

/** One sentence, without the time in `until`, because the reader has a zone of their own. */
export function wordWaitReason({ code, count }: WaitReason): string {
  const requests = count === 1 ? '1 request' : `${count.toLocaleString('en-US')} requests`
  switch (code) {
    case 'in_progress':
      return 'A worker has it and is sending it.'
    case 'switched_off':
      return 'The webhook is switched off. It goes out when the webhook is on again.'
    case 'sending_paused':
      return 'Sending to this client is paused. It goes out when sending is resumed.'
    case 'offered':
      return 'It came while the webhook was off. The owner of the webhook sends or discards it.'
    case 'not_due':
      return 'Its next attempt is planned for later.'
    case 'outside_hours':
      return 'It waits for the sending hours of its webhook.'
    case 'breaker_open':
      return 'The endpoint does not answer. It is held until a single try gets an answer.'
    case 'endpoint_rate':
      return 'The endpoint takes only so many requests a minute, as its owner has set. It waits for the next one.'
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
    case 'new_full':
      return `Endpoints that have never answered share a part of the slots, and ${requests} to them ${are(count)} under way.`
    case 'endpoint_slow':
      return `The endpoint is slow. Slow endpoints share a part of the slots, and ${requests} to them ${are(count)} under way.`
    case 'endpoint_full':
      return `The endpoint has ${requests} under way, as many as one gets at a time.`
    case 'endpoint_strained':
      return `The endpoint is slow, lately did not answer, or asked for less: it may get fewer at a time, and ${requests} ${are(count)} under way.`
    case 'client_share':
      return `The client has ${requests} under way, a full share of the slots. The others are kept for other clients.`
    case 'slots_full':
      return 'Every slot of every worker is in use.'
    case 'heavy_payloads':
      return 'Its payloads are long, or take long to make. Such begin at a pace that they all share while other clients are about.'
    case 'gives_way':
      return 'It is a retry, part of a burst, or of a client with much under way: first attempts of others go before it.'
    case 'next':
      return 'It is next: a worker takes it in a moment.'
  }
}

const are = (count: number): string => (count === 1 ? 'is' : 'are')

import type { DeliverableEvent } from '../contract/events.ts'
import { EVENT_BURSTS_QUEUE, LEAD_EVENTS_QUEUE, LEAD_MARKET_QUEUE } from './queues.ts'

/** The job that stands for a type of event, its queue, and the queue for events beyond a token bucket. */
export interface EventConsumer {
  job: string
  queue: string
  burstQueue: string
  /** tokens that it takes from its sender's bucket */
  weight: number
}

const PLAN = { queue: LEAD_EVENTS_QUEUE, burstQueue: EVENT_BURSTS_QUEUE, weight: 1 }

/**
 * THE TABLE of who consumes what: a new type of event that somebody is to act on gets a line here and a stage in
 * core/pipeline.ts. Nobody enqueues an event whose type is not in it: it waits for a version that has its line, is counted
 * meanwhile, and stops no other. What only stands on a timeline is written with enqueued_at and planned_at and never waits.
 */
const EVENT_CONSUMERS: Readonly<Record<DeliverableEvent | 'lead.offered', EventConsumer>> = {
  'lead.created': { job: 'lead-created', ...PLAN },
  'lead.assigned': { job: 'lead-assigned', ...PLAN },
  // The excess of a burst waits on the same queue, behind the others: all of it is decided by few statements. `lead.created` goes with it.
  'lead.offered': {
    job: 'lead-offered',
    queue: LEAD_MARKET_QUEUE,
    burstQueue: LEAD_MARKET_QUEUE,
    weight: 2,
  },
}

const consumers = new Map<string, EventConsumer>(Object.entries(EVENT_CONSUMERS))

/** The types that this version consumes. */
export const CONSUMED_EVENTS: readonly string[] = [...consumers.keys()]

/** Undefined where this version has nobody for it. */
export function consumerOf(type: string): EventConsumer | undefined {
  return consumers.get(type)
}

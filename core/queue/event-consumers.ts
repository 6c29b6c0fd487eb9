import { CLIENT_EVENTS, type ClientEvent, type PLANNED_EVENTS } from '../contract/events.ts'
import { EVENT_BURSTS_QUEUE, LEAD_EVENTS_QUEUE, LEAD_MARKET_QUEUE } from './queues.ts'

/** The job for a type of event, its queue, and the queue for events beyond a token bucket. */
export interface EventConsumer {
  job: string
  queue: string
  burstQueue: string
  /** tokens that it takes from its sender's bucket */
  weight: number
}

const PLAN = { queue: LEAD_EVENTS_QUEUE, burstQueue: EVENT_BURSTS_QUEUE, weight: 1 }

/** The job of events beside the lead, which have a planner of their own: they share no job with events of leads. */
export const CLIENT_EVENT_JOB = 'client-event'

/**
 * THE TABLE of consumers. A new type of event that a stage acts on gets a line here and a stage in core/pipeline.ts.
 * Events whose type is not in it are not enqueued: they wait for a version that has the line, are counted meanwhile,
 * and delay no others. Events that only appear on a timeline are written with enqueued_at and planned_at and never
 * wait.
 */
const EVENT_CONSUMERS: Readonly<
  Record<(typeof PLANNED_EVENTS)[number] | ClientEvent | 'lead.offered', EventConsumer>
> = {
  'lead.created': { job: 'lead-created', ...PLAN },
  'lead.assigned': { job: 'lead-assigned', ...PLAN },
  'lead.given': { job: 'lead-given', ...PLAN },
  // The excess of a burst waits on the same queue, behind the others, because few statements decide all of it.
  // `lead.created` goes with it.
  'lead.offered': {
    job: 'lead-offered',
    queue: LEAD_MARKET_QUEUE,
    burstQueue: LEAD_MARKET_QUEUE,
    weight: 2,
  },
  ...planClientEvents(),
}

function planClientEvents(): Record<ClientEvent, EventConsumer> {
  const entries = CLIENT_EVENTS.map((type) => [type, { job: CLIENT_EVENT_JOB, ...PLAN }] as const)
  return Object.fromEntries(entries) as Record<ClientEvent, EventConsumer>
}

const consumers = new Map<string, EventConsumer>(Object.entries(EVENT_CONSUMERS))

/** The types that this version consumes. */
export const CONSUMED_EVENTS: readonly string[] = [...consumers.keys()]

/** Returns undefined if this version does not consume the type. */
export function consumerOf(type: string): EventConsumer | undefined {
  return consumers.get(type)
}

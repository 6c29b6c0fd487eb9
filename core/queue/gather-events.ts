import type { JobsOptions } from 'bullmq'
import type { EventToEnqueue } from '../data/outbox/events.ts'
import { CLIENT_EVENT_JOB, type EventConsumer } from './event-consumers.ts'
import { eventJobId, type EventJob, type HeardBy } from './queues.ts'

/** An event and its consumer. */
export interface Consumed {
  event: EventToEnqueue
  consumer: EventConsumer
  shard: number
}

/** The events of one job: of one shard, queue, planner and priority, in the order in which they came. */
export interface Pile {
  shard: number
  /** the queue's name in the first shard */
  queue: string
  turn: number
  /** the name of the job of the first event */
  name: string
  ids: [string, ...string[]]
  /** client and type of each event, in their order */
  heard: HeardBy[]
}

/**
 * Puts events together that may share one job.
 * @param options.most events in one job
 * @param options.turnOf asked for each event, in their order
 */
export function gatherEvents(
  events: readonly Consumed[],
  { most, turnOf }: { most: number; turnOf: (event: EventToEnqueue, weight: number) => number },
): Pile[] {
  const piles: Pile[] = []
  const open = new Map<string, Pile>()
  for (const { event, consumer, shard } of events) {
    const turn = turnOf(event, consumer.weight)
    const queue = turn === 0 ? consumer.queue : consumer.burstQueue
    const key = `${shard} ${queue} ${turn} ${consumer.job === CLIENT_EVENT_JOB ? 'apart' : ''}`
    const pile = open.get(key)
    if (pile !== undefined && pile.ids.length < most) {
      pile.ids.push(event.id)
      pile.heard.push(heardOf(event))
      continue
    }
    const begun: Pile = { shard, queue, turn, name: consumer.job, ids: [event.id], heard: [heardOf(event)] }
    open.set(key, begun)
    piles.push(begun)
  }
  return piles
}

/**
 * Makes the job of a pile. The job of a single event has the event's id, so that it can be looked up and is not added
 * twice. A job of several events has an id of its own. The same events rarely come together twice, and the id of one of
 * them would keep the others out.
 */
export function describeEventJob(
  { name, turn, ids: [first, ...further], heard }: Pile,
  trace: string | undefined,
): { name: string; data: EventJob; opts: JobsOptions } {
  return {
    name,
    data: { event_id: first, ...(further.length > 0 && { further_event_ids: further }), heard },
    opts: {
      ...(further.length === 0 && { jobId: eventJobId(first) }),
      ...(turn > 0 && { priority: turn }),
      ...(trace !== undefined && { telemetry: { metadata: trace } }),
    },
  }
}

const heardOf = ({ client_user_id: client, type }: EventToEnqueue): HeardBy => ({ client, type })

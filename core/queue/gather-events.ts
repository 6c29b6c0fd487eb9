import type { JobsOptions } from 'bullmq'
import type { EventToEnqueue } from '../data/outbox/events.ts'
import type { EventConsumer } from './event-consumers.ts'
import { eventJobId, type EventJob, type HeardBy } from './queues.ts'

/** An event, and who takes it. */
export interface Consumed {
  event: EventToEnqueue
  consumer: EventConsumer
  shard: number
}

/** Events that one job stands for: of one shard, one queue and one turn, in the order in which they came. */
export interface Pile {
  shard: number
  /** its name in the first shard */
  queue: string
  turn: number
  /** the job's name: of the first */
  name: string
  ids: [string, ...string[]]
  /** of each, in their order */
  heard: HeardBy[]
}

/**
 * Puts events together that one job may stand for.
 * @param options.most in one job
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
    const key = `${shard} ${queue} ${turn}`
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
 * The job of a pile. Of one event it has the event's id, so that it can be looked for and is not added twice; the same events rarely
 * come together twice, and an id taken from one of them would keep the others out.
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

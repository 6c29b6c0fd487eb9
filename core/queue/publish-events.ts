import type { Config } from '../config/config.ts'
import type { Db } from '../data/database.ts'
import type { EventToEnqueue } from '../data/outbox/events.ts'
import { failpoint } from '../failpoints.ts'
import type { Logger } from '../telemetry/logger.ts'
import { NO_TRACING, type Tracing } from '../telemetry/tracing.ts'
import { consumerOf } from './event-consumers.ts'
import { gatherEvents, type Consumed, type Pile } from './gather-events.ts'
import { openEventShard } from './open-event-shard.ts'
import { createMarker } from './mark-together.ts'
import { EVENTS_PER_JOB, LEAD_EVENTS_QUEUE } from './queues.ts'
import { openProducerConnection } from './redis.ts'
import { chooseShard, listShards } from './shards.ts'
import { createPriorities } from '../fairness/priorities.ts'

/** This many late events are a backlog, for which jobs of many events cost less. */
const BACKLOG = 200

interface PublishOptions {
  mark?: 'soon' | 'now'
  sender?: string | ((event: EventToEnqueue) => string) | undefined
  inBulk?: boolean | undefined
  turn?: number
  apart?: boolean
  trace?: string | undefined
}

/** The owner of an event if its sender is not known any more. */
export const clientOf = ({ client_user_id: client }: EventToEnqueue): string => client ?? 'nobody'

/** The way from the outbox to Redis, for the API (right after its commit) and for the relay. */
export interface EventPublisher {
  /**
   * Enqueues events, several in one job, each in the shard of its client. Events that this version does not consume
   * (event-consumers.ts) are left alone. Resolves false when Redis did not take all of them in time, for example
   * because one master of a cluster is away. Nothing is lost then: the relay finds them by `enqueued_at is null`. Never
   * throws.
   * @param options.mark `now`: before this resolves; otherwise a little later and together, when most are planned,
   * which marks them as well
   * @param options.turn priority of all of them, if it is known already
   * @param options.apart each in a job of its own
   * @param options.trace the trace that they continue (`carry` of core/telemetry/tracing.ts), if it is not the caller's
   * @param options.sender the sender of all, or of each; a sender's events beyond its token bucket get a lower priority
   * (core/fairness/priorities.ts)
   * @param options.inBulk they came with many others, so they get a lower priority however few they are
   */
  publish: (events: readonly EventToEnqueue[], options?: PublishOptions) => Promise<boolean>
  /**
   * Enqueues events again that have no job of their own, for example because they came with others. Each gets a job of
   * its own, which is not added again while it exists; hundreds of events share jobs. Of the first `suspects`, it also
   * enqueues those whose job exists but is in no list that a worker reads: finished, or orphaned. An event whose job
   * waits in a shard beyond this process' QUEUE_SHARDS is enqueued here as well.
   * @returns number of events enqueued again
   * @throws when Redis does not answer for one of them; the others are enqueued anyway
   */
  restore: (events: readonly EventToEnqueue[], suspects: number) => Promise<number>
  /** Whether Redis is reachable now. Used by /readyz. */
  isReady: () => boolean
  close: () => Promise<void>
}

/** Opens the producer's own connection and queue. While Redis is away it keeps working, and logs that. */
export function openEventPublisher(context: {
  config: Config
  db: Db
  logger: Logger
  tracing?: Tracing
}): EventPublisher {
  const { config, db, logger, tracing = NO_TRACING } = context
  const connection = openProducerConnection(config.redis)
  let wasReady = true
  const noteError = (error: Error): void => {
    if (wasReady) logger.warn({ err: error }, 'redis connection failed; events wait in the outbox')
    wasReady = false
  }
  connection.on('error', noteError)
  connection.on('ready', () => {
    wasReady = true
  })
  const shards = listShards(config.redis.shards).map((shard) =>
    openEventShard({ config, connection, onError: noteError }, shard),
  )
  const shardOf = ({ id, client_user_id: client }: EventToEnqueue): number =>
    chooseShard(client ?? id, shards.length)

  const marker = createMarker(db, logger)
  const takeTurn = createPriorities(() => performance.now())

  /**
   * Adds jobs shard by shard: a shard whose master is away does not keep the others from taking theirs.
   * @returns the jobs that were taken
   */
  async function add(
    events: readonly Consumed[],
    { sender, inBulk, turn, apart }: PublishOptions,
  ): Promise<Pile[]> {
    const trace = tracing.carry()
    const piles = gatherEvents(events, {
      most: apart === true ? 1 : EVENTS_PER_JOB,
      turnOf: (event, weight) => {
        if (turn !== undefined || sender === undefined) return turn ?? 0
        const taken = takeTurn(typeof sender === 'string' ? sender : sender(event), weight)
        return inBulk === true ? Math.max(1, taken) : taken
      },
    })
    await failpoint('before-enqueue')
    const taken = [...Map.groupBy(piles, ({ shard }) => shard)].map(async ([shard, its]) => {
      try {
        await shards[shard]?.add(its, trace)
        return its
      } catch (error) {
        const count = its.flatMap(({ ids }) => ids).length
        logger.warn({ err: error, count, shard }, 'events not enqueued; the relay will')
        return []
      }
    })
    return (await Promise.all(taken)).flat()
  }

  async function restore(events: readonly EventToEnqueue[], suspects: number): Promise<number> {
    const asked = events.map((event, index) => ({ event, isSuspect: index < suspects }))
    const answers = await Promise.allSettled(
      [...Map.groupBy(asked, ({ event }) => shardOf(event))].map(
        async ([shard, its]) => (await shards[shard]?.findMissing(its)) ?? [],
      ),
    )
    const missingIds = new Set(
      answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    )
    const missing = events.filter(({ id, type }) => missingIds.has(id) && consumerOf(type) !== undefined)
    const isPublished = await publish(missing, {
      mark: 'now',
      sender: clientOf,
      apart: missing.length < BACKLOG,
    })
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return isPublished ? missing.length : 0
  }

  async function publish(events: readonly EventToEnqueue[], options: PublishOptions = {}): Promise<boolean> {
    const consumed = events.flatMap((event): Consumed[] => {
      const consumer = consumerOf(event.type)
      return consumer === undefined ? [] : [{ event, consumer, shard: shardOf(event) }]
    })
    if (consumed.length === 0) return true
    const open = consumed.filter(({ shard }) => shards[shard]?.isResting() === false)
    if (connection.status !== 'ready' || open.length === 0) return false
    const taken = await tracing.inSpan(
      `enqueue ${LEAD_EVENTS_QUEUE}`,
      { 'messaging.system': 'bullmq', 'messaging.batch.message_count': open.length },
      () => add(open, options),
      { kind: 'producer', from: options.trace },
    )
    if (taken.length === 0) return false
    const takenIds = taken.flatMap(({ ids }) => ids)
    marker.add(takenIds)
    if (options.mark === 'now') await marker.mark()
    return takenIds.length === consumed.length
  }

  return {
    publish,
    restore,
    isReady: () => connection.status === 'ready',
    close: async () => {
      await marker.mark()
      await Promise.all(shards.map((shard) => shard.close()))
      connection.disconnect()
    },
  }
}

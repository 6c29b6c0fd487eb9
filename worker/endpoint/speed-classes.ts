import { LRUCache } from 'lru-cache'
import { HEAVY, SHARE } from '#core/fairness/limits.ts'
import type { SpeedClass } from '#core/fairness/judge-room.ts'
import { createBatcher } from '#core/concurrency/batch.ts'
import { readSpeed, readWeight, speedKey, weightKey } from '#core/queue/read-queue-state.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { WorkerContext } from '../context.ts'

/** An endpoint without deliveries for a day counts as new again. */
const KEPT_SECONDS = 24 * 3600
/**
 * Milliseconds after which a known value is written again: Redis may have lost it, or another worker may have learned
 * another. Writing more often would cost a command for each delivery.
 */
const AGAIN_MS = 60_000

/** Facts about an endpoint that all workers share. */
export interface LearnedOfEndpoint {
  /** also `new` if Redis does not say */
  speed: SpeedClass
  /** weight of its deliveries (core/endpoint/weigh-attempt.ts); undefined if they are light, or unknown */
  weight: number | undefined
}

/**
 * The speed class of endpoints and the weight of their deliveries, shared by all workers and kept for later processes.
 */
export interface SpeedClasses {
  read: (endpoint: string) => Promise<LearnedOfEndpoint>
  /**
   * to be called after each exchange; a value that is already written is written again after a minute at the soonest
   */
  keep: (endpoint: string, speed: SpeedClass) => void
  /** to be called like `keep`, with the weight of the last delivery, if that one or the one before was heavy */
  keepWeight: (endpoint: string, weight: number) => void
}

/** Kept in Redis only: lost values are learned again with the next few deliveries. */
export function createSpeedClasses(
  { config, redis, logger }: Pick<WorkerContext, 'config' | 'redis' | 'logger'>,
  { keptSeconds, againMs } = { keptSeconds: KEPT_SECONDS, againMs: AGAIN_MS },
): SpeedClasses {
  const prefix = queuePrefix(config.redis)
  const onError = (error: unknown): void => {
    logger.debug({ err: error }, 'the speed of an endpoint was not reached')
  }
  const written = new LRUCache<string, SpeedClass>({
    max: SHARE.kept,
    ttl: againMs,
  })
  /** rounded to powers of two, so that small changes cause no new write */
  const writtenWeights = new LRUCache<string, number>({ max: HEAVY.kept, ttl: againMs })
  const reads = createBatcher<string, LearnedOfEndpoint>({
    maxSize: 100,
    parallel: 2,
    flush: async (endpoints) => {
      const keys = endpoints.flatMap((id) => [speedKey(prefix, id), weightKey(prefix, id)])
      const kept = await redis.mget(keys)
      return endpoints.map((_id, index) => ({
        speed: readSpeed(kept[2 * index]),
        weight: readWeight(kept[2 * index + 1]),
      }))
    },
  })
  return {
    read: (endpoint) =>
      reads.add(endpoint).catch((error: unknown) => {
        onError(error)
        return { speed: 'new' as const, weight: undefined }
      }),
    keep: (endpoint, speed) => {
      if (written.get(endpoint) === speed) return
      written.set(endpoint, speed)
      redis.set(speedKey(prefix, endpoint), speed, 'EX', keptSeconds).catch((error: unknown) => {
        written.delete(endpoint)
        onError(error)
      })
    },
    keepWeight: (endpoint, weight) => {
      const doublings = weight > HEAVY.free ? Math.round(Math.log2(weight)) : 0
      if (writtenWeights.get(endpoint) === doublings) return
      writtenWeights.set(endpoint, doublings)
      const key = weightKey(prefix, endpoint)
      const written =
        doublings === 0 ? redis.del(key) : redis.set(key, String(Math.ceil(weight)), 'EX', keptSeconds)
      written.catch((error: unknown) => {
        writtenWeights.delete(endpoint)
        onError(error)
      })
    },
  }
}

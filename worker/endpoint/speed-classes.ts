import { LRUCache } from 'lru-cache'
import { HEAVY, SHARE } from '#core/fairness/limits.ts'
import type { SpeedClass } from '#core/fairness/judge-room.ts'
import { createBatcher } from '#core/pace/batch.ts'
import { readSpeed, readWeight, speedKey, weightKey } from '#core/queue/read-queue-state.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { WorkerContext } from '../context.ts'

/** An endpoint without deliveries for a day begins anew, as one that has yet to answer. */
const KEPT_SECONDS = 24 * 3600
/** Redis may have lost it, and another worker may have found otherwise; more often would cost each delivery a command. */
const AGAIN_MS = 60_000

/** Facts about an endpoint that all workers share. */
export interface LearnedOfEndpoint {
  /** `new` also where Redis does not say */
  speed: SpeedClass
  /** of its deliveries (core/endpoint/weigh-attempt.ts); undefined where they are light, or nobody knows */
  weight: number | undefined
}

/** How endpoints have answered, and what their deliveries weigh, where every worker and the next process find it. */
export interface SpeedClasses {
  read: (endpoint: string) => Promise<LearnedOfEndpoint>
  /** to be called after each exchange: what was written already is written again after a minute at the soonest */
  keep: (endpoint: string, speed: SpeedClass) => void
  /** the same of what its last delivery weighed, where that or the one before was heavy */
  keepWeight: (endpoint: string, weight: number) => void
}

/** In Redis and nowhere else: what is lost with it is learned again with the next few deliveries. */
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
  /** in doublings: a few characters more or less are not written again */
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

import { LRUCache } from 'lru-cache'
import { SHARE } from '#core/fairness/limits.ts'
import type { Standing } from '#core/fairness/judge-room.ts'
import { createBatcher } from '#core/pace/batch.ts'
import { readStanding, standingKey } from '#core/queue/read-carriage.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { WorkerContext } from '../context.ts'

/** Whoever has had nothing for a day begins anew, as an endpoint that has yet to answer. */
const KEPT_SECONDS = 24 * 3600
/** Redis may have lost it, and another worker may have found otherwise; more often would cost each delivery a command. */
const AGAIN_MS = 60_000

/** How endpoints have answered, where every worker and the next process find it. */
export interface EndpointStandings {
  /** `new` also where Redis does not say */
  read: (endpoint: string) => Promise<Standing>
  /** to be called after each exchange: what was written already is written again after a minute at the soonest */
  keep: (endpoint: string, standing: Standing) => void
}

/** In Redis and nowhere else: what is lost with it is learned again with the next few deliveries. */
export function createStandings(
  { config, redis, logger }: Pick<WorkerContext, 'config' | 'redis' | 'logger'>,
  { keptSeconds, againMs } = { keptSeconds: KEPT_SECONDS, againMs: AGAIN_MS },
): EndpointStandings {
  const keyOf = (endpoint: string): string => standingKey(queuePrefix(config.redis), endpoint)
  const onError = (error: unknown): void => {
    logger.debug({ err: error }, 'the standing of an endpoint was not reached')
  }
  const written = new LRUCache<string, Standing>({
    max: SHARE.kept,
    ttl: againMs,
  })
  const reads = createBatcher<string, Standing>({
    maxSize: 100,
    parallel: 2,
    flush: async (endpoints) => (await redis.mget(endpoints.map(keyOf))).map(readStanding),
  })
  return {
    read: (endpoint) =>
      reads.add(endpoint).catch((error: unknown) => {
        onError(error)
        return 'new' as const
      }),
    keep: (endpoint, standing) => {
      if (written.get(endpoint) === standing) return
      written.set(endpoint, standing)
      redis.set(keyOf(endpoint), standing, 'EX', keptSeconds).catch((error: unknown) => {
        written.delete(endpoint)
        onError(error)
      })
    },
  }
}

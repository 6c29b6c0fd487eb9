import type { Standing } from '#core/fairness/slot-share.ts'
import { createBatcher } from '#core/pace/batch.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { WorkerContext } from '../context.ts'

/** Whoever has had nothing for a day begins anew, as an endpoint that has yet to answer. */
const KEPT_SECONDS = 24 * 3600

/** How endpoints have answered, where every worker and the next process find it. */
export interface EndpointStandings {
  /** `new` also where Redis does not say */
  read: (endpoint: string) => Promise<Standing>
  keep: (endpoint: string, standing: Standing) => void
}

/** In Redis and nowhere else: what is lost with it is learned again with the next few deliveries. */
export function createStandings({
  config,
  redis,
  logger,
}: Pick<WorkerContext, 'config' | 'redis' | 'logger'>): EndpointStandings {
  const keyOf = (endpoint: string): string => `${queuePrefix(config.redis)}:standing:${endpoint}`
  const onError = (error: unknown): void => {
    logger.debug({ err: error }, 'the standing of an endpoint was not reached')
  }
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
      redis.set(keyOf(endpoint), standing, 'EX', KEPT_SECONDS).catch(onError)
    },
  }
}

function readStanding(kept: string | null): Standing {
  return kept === 'proved' || kept === 'slow' ? kept : 'new'
}

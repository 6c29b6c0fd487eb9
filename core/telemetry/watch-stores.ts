import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import { pingDatabase } from '../data/database.ts'
import type { Database } from '../data/schema/tables.ts'
import { measureRedis } from '../queue/measure-redis.ts'
import type { RedisConnection } from '../queue/redis.ts'
import { watchReading } from './watch-reading.ts'

const KEPT_MS = 3000
/** Shorter than the limit of a reading (watch-reading.ts): a store that is silent is down, not unknown. */
const SILENT_MS = 3000

/** Gauges of PostgreSQL and Redis as this process sees them. */
export function watchStores(
  registry: Registry,
  { db, redis }: { db: Kysely<Database>; redis: RedisConnection },
): void {
  const isUp = async (ask: () => Promise<unknown>): Promise<number> =>
    await Promise.race([
      ask().then(
        () => 1,
        () => 0,
      ),
      sleep(SILENT_MS, 0, { ref: false }),
    ])
  const stores = watchReading(registry, {
    keptMs: KEPT_MS,
    read: async () => {
      const [postgres, redisUp] = await Promise.all([isUp(() => pingDatabase(db)), isUp(() => redis.ping())])
      return { postgres, redisUp }
    },
  })
  stores.gauge(
    'leadwire_postgres_up',
    '1 if PostgreSQL answers this process within 3 s and can be written, else 0',
    ({ postgres }) => postgres,
  )
  stores.gauge(
    'leadwire_redis_up',
    '1 if Redis answers this process within 3 s, else 0',
    ({ redisUp }) => redisUp,
  )
  const memory = watchReading(registry, { keptMs: KEPT_MS, read: () => measureRedis(redis) })
  memory.gaugeBy(
    'leadwire_redis_memory_used_ratio',
    'Memory in use as a part of maxmemory, at the fullest master; no value where maxmemory is not set',
    [],
    ({ usedRatio }) => (usedRatio === undefined ? [] : [[{}, usedRatio] as const]),
  )
  memory.gauge(
    'leadwire_redis_evicting_masters',
    'Masters of Redis whose maxmemory-policy is not noeviction: when they are full they throw jobs away',
    ({ evicting }) => evicting,
  )
}

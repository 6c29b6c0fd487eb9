import type { Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { Opened } from '#core/opened.ts'
import { openProducerConnection, type RedisConnection } from '#core/queue/redis.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'

/** Where things are kept: the truth, and what carries it. */
export interface Stores {
  db: Kysely<Database>
  /** a producer's connection: it fails fast. The queue workers have their own (queues/queue-workers.ts) */
  redis: RedisConnection
}

export function openStores({ config, logger }: { config: Config; logger: Logger }): Opened<Stores> {
  const sayOnce = createSayOnce()
  const { db, close: closeDatabase } = openDatabase(
    { ...config.database, name: 'leadwire-worker', byKey: true },
    (error) => {
      // All that rest in the pool break together.
      sayOnce(error.message, (repeats) => {
        logger.warn({ err: error, ...(repeats > 0 && { repeats }) }, 'a database connection broke')
      })
    },
  )
  const redis = openProducerConnection(config.redis)
  redis.on('error', (error: Error) => {
    logger.debug({ err: error }, 'redis connection failed')
  })
  return {
    part: { db, redis },
    close: async () => {
      redis.disconnect()
      await closeDatabase()
    },
  }
}

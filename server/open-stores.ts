import type { Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { checkRedis } from '#core/queue/check-redis.ts'
import { openProducerConnection, type RedisConnection } from '#core/queue/redis.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'
import type { CountingPlace } from './http/rate-limits.ts'
import type { Opened } from '#core/opened.ts'

/** PostgreSQL and Redis, as the areas are given them. */
export interface Stores {
  db: Kysely<Database>
  /** the same database for the few statements of the outbox, whose rows are found by key: their plans are kept */
  outbox: Kysely<Database>
  redis: { connection: RedisConnection; onError: (error: Error) => void }
  /** where rates are counted */
  counting: CountingPlace
}

/** What the outbox asks gathers, so few connections carry it. */
const OUTBOX_POOL = 2

export function openStores({ config, logger }: { config: Config; logger: Logger }): Opened<Stores> {
  const sayOnce = createSayOnce()
  const onBroken = (error: Error): void => {
    // All that rest in the pool break together.
    sayOnce(error.message, (repeats) => {
      logger.warn({ err: error, ...(repeats > 0 && { repeats }) }, 'a database connection broke')
    })
  }
  const { db, close: closeDatabase } = openDatabase({ ...config.database, name: 'leadwire-server' }, onBroken)
  const { db: outbox, close: closeOutbox } = openDatabase(
    { ...config.database, poolSize: OUTBOX_POOL, name: 'leadwire-server-outbox', byKey: true },
    onBroken,
  )
  const connection = openProducerConnection(config.redis)
  const onError = (error: Error): void => {
    logger.debug({ err: error }, 'redis connection failed')
  }
  connection.on('error', onError)
  // The server goes on: a lead that is accepted is kept in PostgreSQL. The worker refuses to start (start-worker.ts).
  connection.once('ready', () => {
    checkRedis(connection).then(({ faults, doubts }) => {
      for (const fault of faults) logger.error(fault)
      for (const doubt of doubts) logger.warn(doubt)
    }, onError)
  })
  return {
    part: {
      db,
      outbox,
      redis: { connection, onError },
      counting: { client: connection, prefix: config.redis.queuePrefix },
    },
    close: async () => {
      connection.disconnect()
      await Promise.all([closeDatabase(), closeOutbox()])
    },
  }
}

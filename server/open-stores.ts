import type { Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { Transact } from '#core/data/pipelined-transaction.ts'
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
  /**
   * The same database for statements that find their rows by key and of which there are few: planned once, and apart from what
   * people look at, so that a slow list holds up no lead
   */
  dbByKey: Kysely<Database>
  /** where leads are sold at once: whoever asks waits here for others who sell, and no other request does */
  sellTransaction: Transact
  redis: { connection: RedisConnection; onError: (error: Error) => void }
  /** where rates are counted */
  counting: CountingPlace
}

/** Two statements of gathered leads, whose their keys are, a piece of a batch, and what the outbox and others ask beside them. */
const BY_KEY_CONNECTIONS = 5
/** Leads of one type are sold one after the other. */
const SELL_CONNECTIONS = 3

export function openStores({ config, logger }: { config: Config; logger: Logger }): Opened<Stores> {
  const sayOnce = createSayOnce()
  const noteBroken = (error: Error): void => {
    // All that rest in a pool break together.
    sayOnce(error.message, (repeats) => {
      logger.warn({ err: error, ...(repeats > 0 && { repeats }) }, 'a database connection broke')
    })
  }
  const named = { ...config.database, name: 'leadwire-server' }
  const plain = openDatabase(named, noteBroken)
  const byKey = openDatabase({ ...named, poolSize: BY_KEY_CONNECTIONS, byKey: true }, noteBroken)
  const market = openDatabase(
    { ...named, poolSize: SELL_CONNECTIONS, byKey: true, pipelined: true },
    noteBroken,
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
      db: plain.db,
      dbByKey: byKey.db,
      sellTransaction: market.transact,
      redis: { connection, onError },
      counting: { client: connection, prefix: config.redis.queuePrefix },
    },
    close: async () => {
      connection.disconnect()
      await Promise.all([plain.close(), byKey.close(), market.close()])
    },
  }
}

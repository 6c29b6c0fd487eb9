import type { Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import { createPoolList, type PoolList } from '#core/data/pool-use.ts'
import type { Transact } from '#core/data/pipelined-transaction.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { checkRedis } from '#core/queue/check-redis.ts'
import { openProducerConnection, type RedisConnection } from '#core/queue/redis.ts'
import { logSentinels } from '#core/queue/sentinels/log-sentinels.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'
import type { CountingPlace } from './http/rate-limits.ts'
import { openReplica } from '#core/replica/open-replica.ts'
import type { Opened } from '#core/closing.ts'
import { openRecentWriters, type RecentWriters } from './http/recent-writers.ts'

/** The connections to PostgreSQL and Redis that the areas get. */
export interface Stores {
  /** the pools of PostgreSQL below, for metrics */
  pools: Pick<PoolList, 'read'>
  db: Kysely<Database>
  /**
   * a pool for a few kinds of statements that find their rows by key. They are prepared once, and separate from queries
   * of screens, so that a slow list delays no lead
   */
  dbByKey: Kysely<Database>
  /** transactions that sell leads at once: a caller waits here for other sales, and no other request does */
  sellTransaction: Transact
  /** for routes that may lag; undefined if no replica is configured */
  lagging: { db: Kysely<Database>; writers: RecentWriters } | undefined
  redis: { connection: RedisConnection; onError: (error: Error) => void }
  /** the Redis that counts rates */
  counting: CountingPlace
}

/**
 * Two statements of gathered leads, the look-up of their keys, a chunk of a batch, and one for the outbox and
 * others.
 */
const BY_KEY_CONNECTIONS = 5
/** Leads of one type are sold one after the other. */
const SELL_CONNECTIONS = 3

export function openStores({ config, logger }: { config: Config; logger: Logger }): Opened<Stores> {
  const sayOnce = createSayOnce()
  const noteBroken = (error: Error): void => {
    // All idle connections of a pool break together, so this is logged once.
    sayOnce(error.message, (repeats) => {
      logger.warn({ err: error, ...(repeats > 0 && { repeats }) }, 'a database connection broke')
    })
  }
  const pools = createPoolList()
  const named = { ...config.database, name: 'leadwire-server' }
  const plain = openDatabase({ ...named, follow: pools.follow('queries') }, noteBroken)
  const byKey = openDatabase(
    { ...named, poolSize: BY_KEY_CONNECTIONS, byKey: true, follow: pools.follow('leads') },
    noteBroken,
  )
  const market = openDatabase(
    { ...named, poolSize: SELL_CONNECTIONS, byKey: true, pipelined: true, follow: pools.follow('market') },
    noteBroken,
  )
  const replica = openReplica({ config, logger }, plain, {
    name: 'leadwire-server',
    follow: pools.follow('replica'),
  })
  const connection = openProducerConnection(config.redis)
  const onError = (error: Error): void => {
    logger.debug({ err: error }, 'redis connection failed')
  }
  connection.on('error', onError)
  logSentinels(connection, logger)
  // The server goes on without it: an accepted lead is stored in PostgreSQL. The worker refuses to start
  // (start-worker.ts).
  connection.once('ready', () => {
    checkRedis(connection).then(({ faults, doubts }) => {
      for (const fault of faults) logger.error(fault)
      for (const doubt of doubts) logger.warn(doubt)
    }, onError)
  })
  const counting = { client: connection, prefix: config.redis.queuePrefix }
  const writers = openRecentWriters(counting, config.database.replicaLagMs)
  return {
    part: {
      pools,
      db: plain.db,
      dbByKey: byKey.db,
      sellTransaction: market.transact,
      lagging: replica && { db: replica.db, writers },
      redis: { connection, onError },
      counting,
    },
    close: async () => {
      connection.disconnect()
      await replica?.close()
      await Promise.all([plain.close(), byKey.close(), market.close()])
    },
  }
}

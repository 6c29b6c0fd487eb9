import type { Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import { createPoolList, type PoolList } from '#core/data/pool-use.ts'
import type { Transact } from '#core/data/pipelined-transaction.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { openReplica, type Replica } from '#core/replica/open-replica.ts'
import type { Opened } from '#core/closing.ts'
import { openProducerConnection, type RedisConnection } from '#core/queue/redis.ts'
import { logSentinels } from '#core/queue/sentinels/log-sentinels.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'

/** Connections to PostgreSQL, which has all data, and to Redis, which carries jobs and wake-ups. */
export interface Stores {
  /** the pools of PostgreSQL below, for metrics */
  pools: Pick<PoolList, 'read'>
  db: Kysely<Database>
  /** a second pool, for statements that claim the first waiting rows */
  claimDb: Kysely<Database>
  /** transactions that stay open for minutes, to hold a lock; `db`, unless that leads to a transaction pooler */
  holdDb: Kysely<Database>
  /** for exports; undefined if none is configured */
  replica: Replica | undefined
  /** transactions in which leads are sold */
  sellTransaction: Transact
  /** a producer's connection: it fails fast. The queue workers have another one (queues/queue-workers.ts) */
  redis: RedisConnection
}

/**
 * Claims run one at a time. They share one connection, because each connection has a plan cache of its own
 * (poll-for-due.ts).
 */
const CLAIM_POOL_SIZE = 1
/** Batches of leads are decided one after the other. */
const SELL_POOL_SIZE = 1
/** Files are read and imported by two chores. */
const HOLD_POOL_SIZE = 2
/** Two kinds of chore may each hold one connection while they work on a file through another. */
const LEAST_POOL_SIZE = 3

export function openStores({ config, logger }: { config: Config; logger: Logger }): Opened<Stores> {
  const sayOnce = createSayOnce()
  const pools = createPoolList()
  const main = openDatabase(
    {
      ...config.database,
      poolSize: Math.max(LEAST_POOL_SIZE, config.database.poolSize),
      name: 'leadwire-worker',
      follow: pools.follow('queries'),
      byKey: true,
    },
    (error) => {
      // All idle connections of the pool break together, so this is logged once.
      sayOnce(error.message, (repeats) => {
        logger.warn({ err: error, ...(repeats > 0 && { repeats }) }, 'a database connection broke')
      })
    },
  )
  const { db, close: closeDatabase } = main
  const replica = openReplica({ config, logger }, main, {
    name: 'leadwire-worker',
    byKey: true,
    follow: pools.follow('replica'),
  })
  const { db: claimDb, close: closeClaimDb } = openDatabase(
    {
      ...config.database,
      url: config.database.directUrl,
      poolSize: CLAIM_POOL_SIZE,
      name: 'leadwire-worker-line',
      follow: pools.follow('claims'),
      byKey: true,
      inLine: true,
    },
    (error) => {
      logger.debug({ err: error }, 'a database connection broke')
    },
  )
  const held = openHolding(config, (error) => {
    logger.debug({ err: error }, 'a database connection broke')
  })
  const { transact: sellTransaction, close: closeSell } = openDatabase(
    {
      ...config.database,
      poolSize: SELL_POOL_SIZE,
      name: 'leadwire-worker-market',
      follow: pools.follow('market'),
      byKey: true,
      pipelined: true,
    },
    (error) => {
      logger.debug({ err: error }, 'a database connection broke')
    },
  )
  const redis = openProducerConnection(config.redis)
  redis.on('error', (error: Error) => {
    logger.debug({ err: error }, 'redis connection failed')
  })
  logSentinels(redis, logger)
  return {
    part: { pools, db, claimDb, holdDb: held?.db ?? db, replica, sellTransaction, redis },
    close: async () => {
      redis.disconnect()
      await closeSell()
      await held?.close()
      await replica?.close()
      await closeClaimDb()
      await closeDatabase()
    },
  }
}

/** A transaction that is open for minutes would take one of the few sessions of a transaction pooler for itself. */
function openHolding({ database }: Config, onError: (error: Error) => void) {
  const { url, directUrl } = database
  return directUrl === url
    ? undefined
    : openDatabase({ url: directUrl, poolSize: HOLD_POOL_SIZE, name: 'leadwire-worker-hold' }, onError)
}

import type { Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { openWatchedQueues, type WatchedQueues } from '#core/queue/open-watched-queues.ts'
import { openDeliveryQueues, type DeliveryQueues } from '#core/queue/publish-deliveries.ts'
import { openEventPublisher, type EventPublisher } from '#core/queue/publish-events.ts'
import { openProducerConnection, type RedisConnection } from '#core/queue/redis.ts'
import { openMailer, type Mailer } from '#core/mail/open-mailer.ts'
import { createSecretBox, type SecretBox } from '#core/secrets/secret-box.ts'
import { NO_TRACING, type Tracing } from '#core/telemetry/tracing.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import { createTransport, type Transport } from '#core/endpoint/transport.ts'
import { createOutcomeTally, type OutcomeTally } from './endpoint/tally-outcomes.ts'
import { createMetrics, type WorkerMetrics } from './metrics/create-metrics.ts'

/** What the stages and the housekeeping need; made once, by hand. */
export interface WorkerContext {
  config: Config
  logger: Logger
  db: Kysely<Database>
  redis: RedisConnection
  events: EventPublisher
  deliveries: DeliveryQueues
  secrets: SecretBox
  mailer: Mailer
  transport: Transport
  outcomes: OutcomeTally
  watchedQueues: WatchedQueues
  metrics: WorkerMetrics
  tracing: Tracing
  /** how claims and records gather for PostgreSQL (core/pace/batch.ts) */
  gathering: { maxSize: number; parallel: number }
}

/** Two statements at a time, so that one gathers while the other runs; a hundred are a few milliseconds of PostgreSQL's time. */
const GATHERING = { maxSize: 100, parallel: 2 }

export function createContext(
  config: Config,
  secretsKey: string,
  logger: Logger,
  tracing: Tracing = NO_TRACING,
): { context: WorkerContext; close: () => Promise<void> } {
  const { db, close: closeDatabase } = openDatabase(
    { ...config.database, name: 'leadwire-worker', byKey: true },
    (error) => {
      logger.warn({ err: error }, 'a database connection broke')
    },
  )
  const redis = openProducerConnection(config.redis)
  const onRedisError = (error: Error): void => {
    logger.debug({ err: error }, 'redis connection failed')
  }
  redis.on('error', onRedisError)
  const events = openEventPublisher({ config, db, logger, tracing })
  const deliveries = openDeliveryQueues({ config, connection: redis, onError: onRedisError, tracing })
  const watchedQueues = openWatchedQueues({ config, connection: redis, onError: onRedisError })
  const transport = createTransport(createAddressGuard(config.webhooks.allowedCidrs), {
    timeoutMs: config.webhooks.timeoutMs,
    // Many clients' endpoints may share one origin, so it is the gate that limits each, not the pool: both delivery queues
    // together must never wait for a socket that another client's endpoint holds.
    connectionsPerOrigin: config.webhooks.concurrency * 2,
  })
  const mailer = openMailer(config.mail)
  const context = {
    config,
    logger,
    db,
    redis,
    events,
    deliveries,
    secrets: createSecretBox(secretsKey),
    mailer,
    transport,
    outcomes: createOutcomeTally(),
    watchedQueues,
    metrics: createMetrics({ db, watchedQueues }),
    tracing,
    gathering: GATHERING,
  }
  return {
    context,
    close: async () => {
      mailer.close()
      await transport.close()
      await watchedQueues.close()
      await deliveries.close()
      await events.close()
      redis.disconnect()
      await closeDatabase()
    },
  }
}

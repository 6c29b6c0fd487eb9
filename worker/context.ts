import type { Kysely } from 'kysely'
import type { Config } from '#core/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { Database } from '#core/data/tables.ts'
import type { Logger } from '#core/logger.ts'
import { openDeliveryQueues, type DeliveryQueues } from '#core/queue/publish-deliveries.ts'
import { openEventPublisher, type EventPublisher } from '#core/queue/publish-events.ts'
import { openProducerConnection, type RedisConnection } from '#core/queue/redis.ts'
import { createSecretBox, type SecretBox } from '#core/secrets.ts'
import { createAddressGuard } from '#core/webhook/guard-address.ts'
import { createTransport, type Transport } from '#core/webhook/transport.ts'

/** What the stages and the housekeeping need; made once, by hand. */
export interface WorkerContext {
  config: Config
  logger: Logger
  db: Kysely<Database>
  redis: RedisConnection
  events: EventPublisher
  deliveries: DeliveryQueues
  secrets: SecretBox
  transport: Transport
}

export function createContext(
  config: Config,
  secretsKey: string,
  logger: Logger,
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
  const events = openEventPublisher({ config, db, logger })
  const deliveries = openDeliveryQueues({ config, connection: redis, onError: onRedisError })
  const transport = createTransport(createAddressGuard(config.webhooks.allowedCidrs), {
    timeoutMs: config.webhooks.timeoutMs,
    // Many clients' endpoints may share one origin, so it is the gate that limits each, not the pool: both delivery queues
    // together must never wait for a socket that another client's endpoint holds.
    connectionsPerOrigin: config.webhooks.concurrency * 2,
  })
  const context = {
    config,
    logger,
    db,
    redis,
    events,
    deliveries,
    secrets: createSecretBox(secretsKey),
    transport,
  }
  return {
    context,
    close: async () => {
      await transport.close()
      await deliveries.close()
      await events.close()
      redis.disconnect()
      await closeDatabase()
    },
  }
}

import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Config } from '#core/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { EventToEnqueue } from '#core/data/events.ts'
import type { DueDelivery } from '#core/data/plan-deliveries.ts'
import type { Database } from '#core/data/tables.ts'
import type { Logger } from '#core/logger.ts'
import { openDeliveryQueues } from '#core/queue/publish-deliveries.ts'
import { openEventPublisher } from '#core/queue/publish-events.ts'
import { openProducerConnection } from '#core/queue/redis.ts'
import { createSecretBox, type SecretBox } from '#core/secrets.ts'
import { createAddressGuard, type AddressGuard } from '#core/webhook/guard-address.ts'
import { createTransport, type Transport } from '#core/webhook/transport.ts'
import { loadSigningKeys, type SigningKeys } from './auth/auth-context.ts'
import { createAfterCommit } from './after-commit.ts'
import { createMetrics } from './metrics.ts'

/** What routes and use cases need; made once, by hand. */
export interface ServerContext {
  config: Config
  logger: Logger
  db: Kysely<Database>
  keys: SigningKeys
  secrets: SecretBox
  guard: AddressGuard
  transport: Transport
  metrics: {
    registry: Registry
    observe: (route: string, method: string, status: number, seconds: number) => void
  }
  /** Tells Redis what a transaction has committed, without making the caller wait. What Redis misses is found later. */
  announceEvents: (events: readonly EventToEnqueue[]) => void
  /** The same where the events are still to be read. */
  announceEventsOf: (find: () => Promise<readonly EventToEnqueue[]>) => void
  announceDeliveries: (deliveries: readonly DueDelivery[]) => void
  isRedisReady: () => boolean
}

/** @throws ConfigError when a key is missing or unusable */
export async function createContext(
  config: Config,
  secretsKey: string,
  logger: Logger,
): Promise<{ context: ServerContext; close: () => Promise<void> }> {
  const keys = await loadSigningKeys(config)
  const { db, close: closeDatabase } = openDatabase(
    { ...config.database, name: 'leadwire-server' },
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
  const guard = createAddressGuard(config.webhooks.allowedCidrs)
  const transport = createTransport(guard, {
    timeoutMs: config.webhooks.timeoutMs,
    connectionsPerOrigin: config.webhooks.endpointConcurrency,
  })
  const afterCommit = createAfterCommit(logger)
  const context: ServerContext = {
    config,
    logger,
    db,
    keys,
    secrets: createSecretBox(secretsKey),
    guard,
    transport,
    metrics: createMetrics(),
    announceEvents: (committed) => {
      if (committed.length > 0) afterCommit.run(() => events.publish(committed))
    },
    announceEventsOf: (find) => {
      if (events.isReady()) afterCommit.run(async () => events.publish(await find()))
    },
    announceDeliveries: (committed) => {
      if (committed.length > 0 && redis.status === 'ready') afterCommit.run(() => deliveries.add(committed))
    },
    isRedisReady: () => redis.status === 'ready' && events.isReady(),
  }
  return {
    context,
    close: async () => {
      await afterCommit.settled()
      await transport.close()
      await deliveries.close()
      await events.close()
      redis.disconnect()
      await closeDatabase()
    },
  }
}

import type { Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { checkRedis } from '#core/queue/check-redis.ts'
import { openWatchedQueues, type WatchedQueues } from '#core/queue/open-watched-queues.ts'
import { openDeliveryQueues } from '#core/queue/publish-deliveries.ts'
import { openEventPublisher } from '#core/queue/publish-events.ts'
import { openProducerConnection } from '#core/queue/redis.ts'
import { createSecretBox } from '#core/secrets/secret-box.ts'
import { NO_TRACING, type Tracing } from '#core/telemetry/tracing.ts'
import type { AuthContext } from './accounts/auth-context.ts'
import { loadSigningKeys } from './identity/signing-keys.ts'
import { deriveCodeKey } from './accounts/codes/one-time-code.ts'
import { openProviders } from './accounts/providers/open-providers.ts'
import { openAccountRates } from './accounts/guards/account-rates.ts'
import { openSms } from './accounts/sms/send-sms.ts'
import { createAfterCommit } from './after-commit.ts'
import { createBatchTurns } from '#core/fairness/batch-turns.ts'
import { createMetrics, type ServerMetrics } from './operations/metrics.ts'
import { openWebhooks, type WebhooksPart } from './webhooks/open-webhooks.ts'

/** What routes and stories need; made once, by hand. */
export interface ServerContext extends AuthContext, WebhooksPart {
  metrics: ServerMetrics
  tracing: Tracing
  /** the pipeline's queues, to be looked at only */
  queues: WatchedQueues
  /**
   * Tells Redis what a transaction has committed, without making the caller wait. What Redis misses is found later. What a
   * sender brings beyond his measure gives way to others (core/fairness/turns.ts).
   */
  announceEvents: (events: readonly EventToEnqueue[], sender?: string) => void
  /** The same where the events are still to be read. */
  announceEventsOf: (find: () => Promise<readonly EventToEnqueue[]>, sender?: string) => void
  announceDeliveries: (deliveries: readonly DueDelivery[]) => void
  /** For retries whose planned time was moved to this moment. */
  hurryDeliveries: (deliveries: readonly DueDelivery[]) => void
  /** Pieces of batches take turns and rest, so that connections and time are left for what is posted singly. */
  batches: ReturnType<typeof createBatchTurns>
  isRedisReady: () => boolean
}

/** @throws ConfigError when a key is missing or unusable */
export async function createContext(
  config: Config,
  secretsKey: string,
  logger: Logger,
  tracing: Tracing = NO_TRACING,
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
  // The server goes on: a lead that is accepted is kept in PostgreSQL. The worker refuses to start (start-worker.ts).
  redis.once('ready', () => {
    checkRedis(redis).then(({ faults, doubts }) => {
      for (const fault of faults) logger.error(fault)
      for (const doubt of doubts) logger.warn(doubt)
    }, onRedisError)
  })
  const counting = { client: redis, prefix: config.redis.queuePrefix }
  const events = openEventPublisher({ config, db, logger, tracing })
  const deliveries = openDeliveryQueues({ config, connection: redis, onError: onRedisError, tracing })
  const webhooks = openWebhooks(config, counting)
  const queues = openWatchedQueues({ config, connection: redis, onError: onRedisError })
  const metrics = createMetrics(db)
  // What Redis was not told, the relay and the reconciler find.
  const afterCommit = createAfterCommit(
    logger,
    'redis did not take what was committed; it is found in the database',
  )
  const messages = createAfterCommit(logger, 'a message with a code could not be sent')
  const publish = async (committed: readonly EventToEnqueue[], sender: string | undefined): Promise<void> => {
    if (!(await events.publish(committed, { sender }))) metrics.countEnqueueFailure('events')
  }
  const context: ServerContext = {
    config,
    logger,
    db,
    keys,
    secrets: createSecretBox(secretsKey),
    codeKey: deriveCodeKey(secretsKey),
    rates: openAccountRates(config.auth.rates, counting),
    providers: openProviders(config),
    sendSms: openSms(config.auth),
    afterAnswer: messages.run,
    ...webhooks.part,
    metrics,
    tracing,
    queues,
    announceEvents: (committed, sender) => {
      if (committed.length > 0) afterCommit.run(() => publish(committed, sender))
    },
    announceEventsOf: (find, sender) => {
      if (events.isReady()) afterCommit.run(async () => publish(await find(), sender))
      else metrics.countEnqueueFailure('events')
    },
    announceDeliveries: (committed) => {
      if (committed.length === 0) return
      if (redis.status !== 'ready') metrics.countEnqueueFailure('deliveries')
      else {
        afterCommit.run(() =>
          deliveries.add(committed).catch((error: unknown) => {
            metrics.countEnqueueFailure('deliveries')
            throw error
          }),
        )
      }
    },
    hurryDeliveries: (committed) => {
      if (committed.length > 0 && redis.status === 'ready') afterCommit.run(() => deliveries.hurry(committed))
    },
    batches: createBatchTurns(),
    isRedisReady: () => redis.status === 'ready' && events.isReady(),
  }
  return {
    context,
    close: async () => {
      await messages.settled()
      await afterCommit.settled()
      await webhooks.close()
      await queues.close()
      await deliveries.close()
      await events.close()
      redis.disconnect()
      await closeDatabase()
    },
  }
}

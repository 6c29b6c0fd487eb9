import type { Config } from '#core/config/config.ts'
import type { Market } from '#core/use-cases/market/market.ts'
import { createOrderCache } from '#core/use-cases/market/order-cache.ts'
import { openPaymentProvider, type PaymentProvider } from '#core/payments/payment-provider.ts'
import type { FileStore } from '#core/file-store/file-store.ts'
import { openFileStore } from '#core/file-store/open-file-store.ts'
import { openMailer, type Mailer } from '#core/mail/open-mailer.ts'
import { createClosing, type Opened } from '#core/closing.ts'
import type { WaitFor } from '#core/stop-in-time.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import type { PurposeKeys } from '#core/secrets/derived-keys.ts'
import type { Keyring } from '#core/secrets/keyring.ts'
import { watchKeyring } from '#core/secrets/watch-keyring.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { NO_TRACING, type Tracing } from '#core/telemetry/tracing.ts'
import { openEndpoint, type EndpointPart } from './endpoint/open-endpoint.ts'
import { GATHERING } from './limits.ts'
import { openSaleRules } from '#core/use-cases/market/sale-rules.ts'
import { createMetrics, type WorkerMetrics } from './metrics/create-metrics.ts'
import { openStores, type Stores } from './open-stores.ts'
import { openQueues, type QueuesPart } from './queues/open-queues.ts'

/** Everything that stages and chores need. It is assembled once, from one part for each area. */
export interface WorkerContext extends Stores, QueuesPart, EndpointPart {
  config: Config
  logger: Logger
  secrets: SecretBox
  /** sign the links of mails that end a kind of mail */
  unsubscribeKeys: PurposeKeys
  /** sign the addresses for outcomes in payloads */
  outcomeKeys: PurposeKeys
  market: Market
  mailer: Mailer
  /** the bytes of stored files */
  files: FileStore
  /** undefined if none is configured */
  paymentProvider: PaymentProvider | undefined
  metrics: WorkerMetrics
  tracing: Tracing
  /** how outcomes and returned leases are batched for PostgreSQL (core/concurrency/batch.ts) */
  gathering: { maxSize: number; parallel: number }
}

function openMail({ mail }: Pick<Config, 'mail'>): Opened<Mailer> {
  const mailer = openMailer(mail)
  return {
    part: mailer,
    close: async () => {
      mailer.close()
    },
  }
}

/** Opens every area; each may use the areas opened before it. `close` closes them in reverse order. */
export function createContext(
  config: Config,
  keyring: Keyring,
  logger: Logger,
  tracing: Tracing = NO_TRACING,
): { context: WorkerContext; close: (waitFor?: WaitFor) => Promise<void> } {
  const given = { config, logger, tracing }
  const { keep, close } = createClosing()
  const stores = keep('PostgreSQL', openStores(given))
  const { secrets } = keep('keys', watchKeyring(keyring, stores.db, logger))
  const rules = keep('rules of selling', openSaleRules(given, stores.db))
  const queues = keep('queues', openQueues(given, stores))
  const endpoint = keep('connections to endpoints', openEndpoint(given))
  const mailer = keep('the mail server', openMail(config))
  const context = {
    ...given,
    ...stores,
    ...queues,
    ...endpoint,
    secrets,
    unsubscribeKeys: keyring.keysFor('unsubscribe'),
    outcomeKeys: keyring.keysFor('outcomes'),
    market: {
      db: stores.db,
      transact: stores.sellTransaction,
      suppressionKeys: keyring.keysFor('suppressions'),
      orderCache: createOrderCache(),
      get holdHours() {
        return rules.holdHours
      },
      get windows() {
        return rules.windows
      },
      refreshRules: rules.refresh,
    },
    mailer,
    files: openFileStore(config),
    paymentProvider: openPaymentProvider(config),
    metrics: createMetrics({ ...stores, config, watchedQueues: queues.watchedQueues }),
    gathering: GATHERING,
  }
  return { context, close }
}

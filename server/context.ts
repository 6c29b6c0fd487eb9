import type { Config } from '#core/config/config.ts'
import { SLICES } from '#core/fairness/limits.ts'
import { createSlices } from '#core/concurrency/slices.ts'
import type { PurposeKeys } from '#core/secrets/derived-keys.ts'
import type { Keyring } from '#core/secrets/keyring.ts'
import { watchKeyring } from '#core/secrets/watch-keyring.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { NO_TRACING, type Tracing } from '#core/telemetry/tracing.ts'
import { openAdmission, type Admission } from './admission/open-admission.ts'
import { openAccounts, type AuthContext } from './accounts/open-accounts.ts'
import { gatherPrincipals } from './identity/gather-principals.ts'
import { createSourceHints } from './identity/source-hints.ts'
import { loadSigningKeys } from './identity/signing-keys.ts'
import { openStorage, type StoragePart } from './storage/open-storage.ts'
import { openFileStore } from '#core/file-store/open-file-store.ts'
import { openAnnouncements, type Announcements } from './open-announcements.ts'
import { createClosing } from '#core/closing.ts'
import { openChanges, type Changes } from './changes/open-changes.ts'
import { openRealtime, type Realtime } from './realtime/open-realtime.ts'
import { openFeed } from './realtime/feed/open-feed.ts'
import type { Market } from '#core/use-cases/market/market.ts'
import { createOrderCache } from '#core/use-cases/market/order-cache.ts'
import type { WaitFor } from '#core/stop-in-time.ts'
import { openIngest, type IngestPart } from './leads/open-ingest.ts'
import { openStores, type Stores } from './open-stores.ts'
import { openSaleRules } from '#core/use-cases/market/sale-rules.ts'
import { openPaymentProvider, type PaymentProvider } from '#core/payments/payment-provider.ts'
import { openOperations, type OperationsPart } from './operations/open-operations.ts'
import { createProxyWatch, type ProxyWatch } from './http/watch-proxies.ts'
import { openWebhooks, type WebhooksPart } from './webhooks/open-webhooks.ts'

/**
 * Everything that routes and use cases need, grouped by area: made once, by hand. A function names the areas
 * that it takes.
 */
export interface ServerContext extends AuthContext {
  tracing: Tracing
  /** for statements that find their rows by key (open-stores.ts) */
  dbByKey: Stores['dbByKey']
  /** always the primary; `db` of a route that may lag can be a replica */
  primaryDb: Stores['db']
  lagging: Stores['lagging']
  announce: Announcements
  leads: IngestPart
  market: Market
  /** sign the links of mails that end a kind of mail */
  unsubscribeKeys: PurposeKeys
  webhooks: WebhooksPart
  operations: OperationsPart
  changes: Changes
  realtime: Realtime
  storage: StoragePart
  /** undefined if none is configured */
  paymentProvider: PaymentProvider | undefined
  proxies: ProxyWatch
  /** every limit on what comes in, so that no caller takes the server's time or memory from others */
  admission: Admission
  /** Does long work in slices, so that each turn of the event loop leaves time for others. */
  inSlices: ReturnType<typeof createSlices>
}

/**
 * Opens every area in the order of their dependencies; `close` closes them in reverse.
 * @throws ConfigError if a key is missing or unusable
 */
export async function createContext(
  config: Config,
  keyring: Keyring,
  logger: Logger,
  tracing: Tracing = NO_TRACING,
): Promise<{ context: ServerContext; close: (waitFor?: WaitFor) => Promise<void> }> {
  const given = { config, keyring, logger, tracing }
  const keys = await loadSigningKeys(config)
  const { keep, close } = createClosing()
  const stores = keep('PostgreSQL', openStores(given))
  const rules = keep('rules of selling', openSaleRules(given, stores.db))
  void rules.refresh()
  const operations = keep('the queues looked at', openOperations(config, stores))
  const announce = keep('what Redis is told', openAnnouncements(given, stores, operations.metrics))
  const leads = keep('leads being stored', openIngest(given, stores))
  const webhooks = keep('connections to endpoints', openWebhooks(given, stores.counting))
  const files = openFileStore(config)
  const storage = keep('rests of uploads', openStorage({ counting: stores.counting, files, logger }))
  const accounts = keep('messages to accounts', openAccounts(given, stores.counting))
  const { changes } = keep('streams of changes', openChanges({ ...given, lagging: stores.lagging }))
  const { secrets } = keep('keys', watchKeyring(keyring, stores.db, logger))
  const feed = keep(
    'the feed of changed rows',
    openFeed({ config, logger, secrets, writers: stores.lagging?.writers }),
  )
  const identity = {
    keys,
    // Looking up a source must not wait for queries of screens.
    sources: createSourceHints(stores.dbByKey),
    findPrincipal: gatherPrincipals(stores.db, config.auth.inactivitySeconds),
  }
  const metrics = operations.metrics.sockets
  const realtime = keep(
    'sockets',
    openRealtime({ config, logger, db: stores.db, identity, changes, feed, metrics }),
  )
  const context = {
    config,
    logger,
    tracing,
    db: stores.db,
    dbByKey: stores.dbByKey,
    primaryDb: stores.db,
    lagging: stores.lagging,
    secrets,
    unsubscribeKeys: keyring.keysFor('unsubscribe'),
    identity,
    accounts,
    announce,
    leads,
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
    webhooks,
    operations,
    changes,
    files,
    realtime,
    storage,
    paymentProvider: openPaymentProvider(config),
    proxies: createProxyWatch(logger, () => performance.now()),
    admission: openAdmission(),
    inSlices: createSlices(SLICES.mostMs, () => performance.now()),
  }
  return { context, close }
}

import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { migrateDatabase } from '../migrate-database.ts'
import { keepFunded } from '../demo-market/keep-funded.ts'
import { marketFile, setUpMarket } from '../demo-market/set-up-market.ts'
import { step } from '../services/step.ts'
import type { Running } from './announce.ts'
import { buildWeb } from './build-web.ts'
import type { Closers } from './closers.ts'
import { keepPostgres, keepRedis } from './keep-service.ts'
import { keepSecrets } from './keep-secrets.ts'
import { setUpDemo } from './set-up-demo.ts'
import { startPrograms } from './start-programs.ts'
import { DEMO_ACCOUNTS } from './demo-accounts.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Starts everything of docs/contract.md §1 in its order. `set` is the variables that are not empty. Each part
 * is registered with `closers` as soon as it runs.
 */
export async function bringUp(dataDir: string, set: Environment, closers: Closers): Promise<Running> {
  const logs = path.join(dataDir, 'logs')
  await mkdir(logs, { recursive: true, mode: 0o700 })
  const secrets = await keepSecrets(dataDir)
  const databaseUrl = set['DATABASE_URL'] ?? (await embeddedPostgres(dataDir, closers))
  const redis = await redisVariables(dataDir, set, closers)
  await buildWeb()
  await step(
    'Migrating the database',
    () => migrateDatabase(databaseUrl),
    (applied) => (applied.length === 0 ? 'Database up to date' : `${applied.length} migrations applied`),
  )

  const crmSecretFile = path.join(dataDir, 'sample-crm.secret')
  const shared = {
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    ...DEMO_ACCOUNTS,
    DEV_MAILBOX: set['DATABASE_URL'] === undefined ? '1' : '0',
    ...secrets,
    ...set,
    ...redis,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SAMPLE_CRM_SECRET_FILE: crmSecretFile,
    DEMO_MARKET_FILE: marketFile(dataDir),
  }
  const { server, publicUrl, crmUrl } = await step(
    'Starting server, worker and sample CRM',
    () => startPrograms(shared, logs, closers),
    () => 'Server, worker and sample CRM are up',
  )

  const client = { email: shared.SEED_CLIENT_EMAIL, password: shared.SEED_CLIENT_PASSWORD }
  const admin = { email: shared.SEED_ADMIN_EMAIL, password: shared.SEED_ADMIN_PASSWORD }
  const crmEndpoint = `${crmUrl}/webhooks/leads`
  const demo = await setUpDemo({ server, folder: dataDir, crmEndpoint, crmSecretFile, client, admin })
  const others =
    demo === undefined || set['DEMO_MARKET'] === '0'
      ? []
      : await step(
          'Bringing the demo’s market to life',
          () => setUpMarket({ server, folder: dataDir, client, admin }, demo.isNew),
          (clients) => (clients.length === 0 ? 'No market of the demo’s' : 'The demo’s market is open'),
        )
  const [harbor] = others
  if (harbor !== undefined) {
    const { close } = keepFunded({ server, admin, clients: [client, harbor] })
    await closers.add('The funds of the demo', close)
  }
  const hasMailbox = shared.DEV_MAILBOX === '1' && set['SMTP_URL'] === undefined
  return { url: publicUrl, crmUrl, dataDir, client, admin, hasMailbox, sourceKey: demo?.sourceKey, others }
}

async function embeddedPostgres(dataDir: string, closers: Closers): Promise<string> {
  const { service, stop } = await step(
    'Starting PostgreSQL',
    () => keepPostgres(dataDir),
    (kept) => `PostgreSQL 18 on port ${kept.service.port}`,
  )
  await closers.add('PostgreSQL', stop)
  return service.url
}

/** A given Redis, single or a cluster, else our own. */
async function redisVariables(dataDir: string, set: Environment, closers: Closers): Promise<Environment> {
  if (set['REDIS_URL'] !== undefined || set['REDIS_CLUSTER_NODES'] !== undefined) return {}
  const { service, stop } = await step(
    'Starting Redis',
    () => keepRedis(dataDir),
    (kept) => `Redis on port ${kept.service.port}: ${kept.service.description}`,
  )
  await closers.add('Redis', stop)
  return { REDIS_URL: service.url }
}

import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { migrateDatabase } from '../migrate-database.ts'
import { startPostgres } from '../services/postgres.ts'
import { startRedis } from '../services/redis.ts'
import { step } from '../services/step.ts'
import type { Running } from './announce.ts'
import { buildWeb } from './build-web.ts'
import { choosePort } from './choose-port.ts'
import type { Closers } from './closers.ts'
import { keepSecrets } from './keep-secrets.ts'
import { setUpDemo } from './set-up-demo.ts'
import { supervise } from './supervise.ts'
import type { Program } from './supervise.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Everything of CONTRACT.md §1 in its order, `set` being the variables that are not empty; each part registered with `closers` as soon as it runs. */
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

  const host = set['HOST'] ?? '127.0.0.1'
  const port = await choosePort(set['PORT'], 3000, host, 'Leadwire')
  const crmPort = await choosePort(set['SAMPLE_CRM_PORT'], 3001, '127.0.0.1', 'the sample CRM')
  const crmUrl = `http://127.0.0.1:${crmPort}`
  const crmSecretFile = path.join(dataDir, 'sample-crm.secret')
  const env = {
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    PUBLIC_URL: `http://localhost:${port}`,
    ...secrets,
    ...set,
    ...redis,
    PORT: String(port),
    HOST: host,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SAMPLE_CRM_PORT: String(crmPort),
    SAMPLE_CRM_SECRET_FILE: crmSecretFile,
  }
  const server = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
  const program = (name: string, script: string, isReady: Program['isReady']): Program => {
    return {
      name,
      script,
      env,
      logFile: path.join(logs, `${path.basename(path.dirname(script))}.log`),
      isReady,
    }
  }
  const programs = [
    {
      ...program('sample CRM', 'scripts/sample-crm.ts', () => answers(crmUrl)),
      logFile: path.join(logs, 'sample-crm.log'),
    },
    program('worker', 'worker/main.ts', (lines) =>
      lines.some((line) => line.includes('"msg":"worker ready"')),
    ),
    program('server', 'server/main.ts', () => answers(`${server}/readyz`)),
  ]
  await step(
    'Starting server, worker and sample CRM',
    async () => {
      const ready: Promise<void>[] = []
      for (const one of programs) {
        const supervised = supervise(one)
        ready.push(supervised.ready)
        await closers.add(`The ${one.name}`, supervised.stop)
      }
      await Promise.all(ready)
    },
    () => 'Server, worker and sample CRM are up',
  )

  const client = { email: env.SEED_CLIENT_EMAIL, password: env.SEED_CLIENT_PASSWORD }
  const admin = { email: env.SEED_ADMIN_EMAIL, password: env.SEED_ADMIN_PASSWORD }
  const crmEndpoint = `${crmUrl}/webhooks/leads`
  const sourceKey = await setUpDemo({ server, folder: dataDir, crmEndpoint, crmSecretFile, client, admin })
  return { url: env.PUBLIC_URL, crmUrl, dataDir, client, admin, sourceKey }
}

async function embeddedPostgres(dataDir: string, closers: Closers): Promise<string> {
  const start = () => startPostgres({ folder: dataDir })
  const service = await step('Starting PostgreSQL', start, ({ port }) => `PostgreSQL 18 on port ${port}`)
  await closers.add('PostgreSQL', service.stop)
  return service.url
}

/** A Redis that was given, single or a cluster, else our own. */
async function redisVariables(dataDir: string, set: Environment, closers: Closers): Promise<Environment> {
  if (set['REDIS_URL'] !== undefined || set['REDIS_CLUSTER_NODES'] !== undefined) return {}
  const start = () => startRedis({ folder: dataDir })
  const service = await step(
    'Starting Redis',
    start,
    ({ port, description }) => `Redis on port ${port}: ${description}`,
  )
  await closers.add('Redis', service.stop)
  return { REDIS_URL: service.url }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}

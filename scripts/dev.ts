import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrateDatabase } from './migrate-database.ts'
import { startGuarded, stopAllGuarded } from './services/guarded-process.ts'
import { step } from './services/step.ts'
import { claimDataFolder } from './start/claim-data-folder.ts'
import { createClosers } from './start/closers.ts'
import { keepSecrets } from './start/keep-secrets.ts'
import { keepPostgres, keepRedis } from './start/keep-service.ts'
import { DEMO_ACCOUNTS } from './start/demo-accounts.ts'
import { readEnvironment } from './start/read-environment.ts'

/**
 * For development: server, worker and sample CRM restart when their files change; web app and public pages
 * reload in place at Vite's address, which passes /api, /auth and the like on to the server. It uses the data
 * of `npm start`.
 */
const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const VITE = path.join(REPOSITORY, 'scripts/start-vite.ts')

const closers = createClosers()
const { given, dataDir } = await readEnvironment({ NODE_ENV: 'development' }).catch(refuse)
await mkdir(dataDir, { recursive: true })
const release = await claimDataFolder(dataDir)
const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
})

try {
  const secrets = await keepSecrets(dataDir)
  const databaseUrl = given['DATABASE_URL'] ?? (await bring('PostgreSQL', () => keepPostgres(dataDir)))
  const redisUrl = given['REDIS_URL'] ?? (await bring('Redis', () => keepRedis(dataDir)))
  await step('Migrating the database', () => migrateDatabase(databaseUrl))
  const env = {
    NODE_ENV: 'development',
    PORT: '3000',
    HOST: '127.0.0.1',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    ...DEMO_ACCOUNTS,
    DEV_MAILBOX: '1',
    SAMPLE_CRM_SECRET_FILE: path.join(dataDir, 'sample-crm.secret'),
    ...secrets,
    ...given,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
  }
  for (const script of ['server/main.ts', 'worker/main.ts', 'scripts/sample-crm.ts'])
    await run(script, ['--watch', script], env)
  await run('Vite', [VITE], env)
  await interrupted
} finally {
  await closers.closeAll()
  await stopAllGuarded()
  await release()
}
process.exit()

async function bring(
  name: string,
  keep: () => Promise<{ service: { url: string }; stop: () => Promise<void> }>,
): Promise<string> {
  const { service, stop } = await step(`Starting ${name}`, keep)
  await closers.add(name, stop)
  return service.url
}

function refuse(error: unknown): never {
  console.error(`✗ ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

function run(name: string, args: string[], env: Record<string, string | undefined>): Promise<void> {
  const program = { command: process.execPath, args, cwd: REPOSITORY, stopSignal: 'SIGTERM', env } as const
  return closers.add(name, startGuarded(program).stop)
}

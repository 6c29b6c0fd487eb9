import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeKeys } from '../services/make-keys.ts'
import { copyTemplate, type TestServices } from '../services/test-services.ts'
import { OPEN_ACCOUNTS } from './open-accounts.ts'

/** The environment that server and workers of one run share: a database, a queue prefix, keys. */
export interface LabEnvironment {
  databaseUrl: string
  redisUrl: string
  /** Variables of docs/contract.md §2, for the processes, and for loadConfig. */
  env: Record<string, string>
  close: () => Promise<void>
}

/**
 * A fresh environment on running services: a copy of the migrated database, a data folder, its own queue
 * prefix.
 */
export async function createEnvironment(
  services: Pick<TestServices, 'databaseUrl' | 'redisUrl' | 'template'>,
  overrides: Record<string, string> = {},
): Promise<LabEnvironment> {
  const database = await copyTemplate(services)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'leadwire-data-'))
  const env = await composeVariables({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    REDIS_URL: services.redisUrl,
    QUEUE_PREFIX: `lab-${randomBytes(6).toString('hex')}`,
    ...overrides,
  })
  return {
    databaseUrl: database.url,
    redisUrl: env['REDIS_URL'] ?? services.redisUrl,
    env,
    close: async () => {
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * The variables of a throw-away server and worker beside their services: new keys, endpoints on the loopback,
 * open accounts.
 */
export async function composeVariables(given: Record<string, string>): Promise<Record<string, string>> {
  return {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    // One source posts as much as many would.
    INGEST_RATE: '10000000',
    ...(await makeKeys()),
    ...OPEN_ACCOUNTS,
    ...given,
  }
}

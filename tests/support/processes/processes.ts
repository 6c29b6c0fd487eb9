import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { createTestDatabase } from '../services/database.ts'
import { OPEN_ACCOUNTS } from '../given/open-accounts.ts'
import { testRedisUrl, uniqueQueuePrefix } from '../services/redis.ts'

type Variables = Record<string, string>

/** What server and workers of one test share: a database, a queue prefix, keys. Pass `env` to loadConfig for your own context. */
export interface TestEnvironment {
  databaseUrl: string
  redisUrl: string
  env: Variables
  close: () => Promise<void>
}

/** A fresh environment; `overrides` are further variables of docs/contract.md §2 (retry schedule, another REDIS_URL, …). */
export async function createTestEnvironment(overrides: Variables = {}): Promise<TestEnvironment> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'leadwire-data-'))
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const env: Variables = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    REDIS_URL: testRedisUrl(),
    QUEUE_PREFIX: uniqueQueuePrefix(),
    JWT_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_RETRY_JITTER: '0',
    ...OPEN_ACCOUNTS,
    ...overrides,
  }
  return {
    databaseUrl: database.url,
    redisUrl: env['REDIS_URL'] ?? testRedisUrl(),
    env,
    close: async () => {
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

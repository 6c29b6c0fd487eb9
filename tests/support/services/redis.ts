import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startRedis } from '#scripts/services/redis.ts'
import { serviceVariable } from './services.ts'

/** URL of the Redis that all test files share; each uses its own keys by {@link uniqueQueuePrefix}. */
export function testRedisUrl(): string {
  return serviceVariable('TEST_REDIS_URL')
}

/** Returns a QUEUE_PREFIX that no other test file uses. */
export function uniqueQueuePrefix(): string {
  return `test-${randomBytes(6).toString('hex')}`
}

export interface PrivateRedis {
  url: string
  /** Stops the server like an outage; its data stays. */
  stop: () => Promise<void>
  /** Starts it again on the same port. */
  start: () => Promise<void>
  close: () => Promise<void>
}

/** Starts a Redis for one test that stops and restarts it. */
export async function startPrivateRedis(): Promise<PrivateRedis> {
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-redis-'))
  let redis = await startRedis({ folder })
  const { url, port } = redis
  return {
    url,
    stop: () => redis.stop(),
    start: async () => {
      redis = await startRedis({ folder, port })
    },
    close: async () => {
      await redis.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHeartbeat, type Heartbeat } from '#core/queue/heartbeat.ts'
import { testRedisUrl, uniqueQueuePrefix } from '#tests/support/services/redis.ts'
import { startTcpProxy, type TcpProxy } from '#scripts/lab/start-tcp-proxy.ts'

let proxy: TcpProxy
let redis: Redis
let prefix: string
let heartbeat: Heartbeat
beforeEach(async () => {
  proxy = await startTcpProxy(testRedisUrl())
  redis = new Redis(proxy.through(testRedisUrl()), {
    // On a busy machine the first command may be slow.
    commandTimeout: 2_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 50,
  })
  redis.on('error', () => undefined)
  prefix = uniqueQueuePrefix()
  heartbeat = createHeartbeat(redis, prefix, 'one')
})
afterEach(async () => {
  await heartbeat.stop()
  redis.disconnect()
  await proxy.close()
})

test('the heartbeat finds its last beat, and reports a loss if that is gone or older', async () => {
  const key = `${prefix}:heartbeat:one`
  expect(await heartbeat.beat()).toBe('new')
  expect(await heartbeat.beat()).toBe('kept')
  await redis.del(key)
  expect(await heartbeat.beat()).toBe('lost')
  expect(await heartbeat.beat()).toBe('kept')
  await redis.set(key, '2')
  expect(await heartbeat.beat()).toBe('lost')
})

test('the heartbeat reports no loss after a beat without an answer, whether Redis stored the beat or not', async () => {
  await heartbeat.beat()
  proxy.onSent((connection, piece) => {
    if (piece.includes('heartbeat')) connection.cutAtReply()
  })
  await expect(heartbeat.beat()).rejects.toThrow()
  proxy.onSent((connection, piece) => {
    if (piece.includes('heartbeat')) connection.cut()
  })
  await expect(heartbeat.beat()).rejects.toThrow()
  proxy.onSent(() => undefined)
  await expect.poll(() => redis.status).toBe('ready')
  expect(await heartbeat.beat()).toBe('kept')
})

test('only one process at a time leads a rebuild', async () => {
  const other = createHeartbeat(redis, prefix, 'other')
  const done: string[] = []
  await heartbeat.lead(async () => {
    done.push('first')
    await other.lead(async () => {
      done.push('never')
    })
  })
  await other.lead(async () => {
    done.push('second')
  })
  expect(done).toEqual(['first', 'second'])
  await other.stop()
})

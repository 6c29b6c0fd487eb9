import { randomUUID } from 'node:crypto'
import { Queue, UnrecoverableError, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isQueueThere, removeUnusedQueue } from '#core/queue/bullmq-layout.ts'
import { testRedisUrl } from '#tests/support/services/redis.ts'

const HOUR_MS = 3_600_000
const prefix = `unused-${randomUUID()}`
let redis: Redis
beforeAll(() => {
  redis = new Redis(testRedisUrl(), { maxRetriesPerRequest: null })
})
afterAll(() => {
  redis.disconnect()
})

async function givenQueue(): Promise<Queue> {
  const queue = new Queue(randomUUID(), { connection: redis, prefix })
  await queue.waitUntilReady()
  return queue
}

async function runJobs(queue: Queue): Promise<void> {
  const worker = new Worker(
    queue.name,
    async (job) => {
      if (job.name === 'fails') throw new UnrecoverableError('on purpose')
    },
    { connection: redis, prefix },
  )
  await expect.poll(() => queue.getJobCountByTypes('wait', 'prioritized', 'active')).toBe(0)
  await worker.close()
}

const isThere = (queue: Queue): Promise<boolean> => isQueueThere(redis, prefix, ['another', queue.name])
const remove = (queue: Queue, unusedMs = 0): Promise<boolean> =>
  removeUnusedQueue(redis, prefix, queue.name, unusedMs)
const keysOf = (queue: Queue): Promise<string[]> => redis.keys(`${prefix}:${queue.name}:*`)

test('a queue that nobody opened does not exist', async () => {
  expect(await isQueueThere(redis, prefix, ['never', 'opened'])).toBe(false)
})

test.each([
  ['waits', {}],
  ['waits with a priority', { priority: 2 }],
  ['is delayed', { delay: HOUR_MS }],
])('a queue stays while one of its jobs %s', async (_state, options) => {
  const queue = await givenQueue()
  await queue.add('any', {}, options)

  expect(await remove(queue)).toBe(false)
  expect(await queue.getJobCountByTypes('wait', 'prioritized', 'delayed')).toBe(1)
  await queue.close()
})

test('a queue stays while one of its jobs runs', async () => {
  const queue = await givenQueue()
  await queue.add('any', {})
  const worker = new Worker(queue.name, undefined, { connection: redis, prefix, autorun: false })
  expect(await worker.getNextJob('token')).toBeDefined()

  expect(await remove(queue)).toBe(false)
  await worker.close()
  await queue.close()
})

test('a queue stays while an administrator has paused it, and later jobs wait in it', async () => {
  const queue = await givenQueue()
  await queue.pause()

  expect(await remove(queue)).toBe(false)
  await queue.add('any', {})
  expect(await queue.isPaused()).toBe(true)
  await queue.close()
})

test('a queue that was used a moment ago stays; after a rest it is removed with its ended jobs', async () => {
  const queue = await givenQueue()
  await queue.add('ends', {})
  await queue.add('fails', {})
  await queue.add('fails', {}, { priority: 3, jobId: 'evt-any' })
  await runJobs(queue)
  expect(await queue.getJobCounts('completed', 'failed')).toEqual({ completed: 1, failed: 2 })

  expect(await remove(queue, HOUR_MS)).toBe(false)
  expect(await isThere(queue)).toBe(true)
  expect(await remove(queue)).toBe(true)
  expect(await isThere(queue)).toBe(false)
  expect(await keysOf(queue)).toEqual([])
  await queue.close()
})

test.each([{}, { priority: 1 }, { delay: 1 }])(
  'a job with %j recreates its removed queue, and runs',
  async (options) => {
    const queue = await givenQueue()
    await queue.add('ends', {})
    await runJobs(queue)
    expect(await remove(queue)).toBe(true)

    const [job] = await queue.addBulk([{ name: 'ends', data: {}, opts: options }])
    expect(await isThere(queue)).toBe(true)
    const worker = new Worker(queue.name, async () => undefined, { connection: redis, prefix })
    await expect.poll(() => job?.getState()).toBe('completed')
    await worker.close()
    await queue.close()
  },
)

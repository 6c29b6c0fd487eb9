import { randomUUID } from 'node:crypto'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStartable, isQueuePaused, lookUpJobs } from '#core/queue/bullmq-layout.ts'
import { findRunnable } from '#core/queue/find-runnable.ts'
import { testRedisUrl } from '#tests/support/services/redis.ts'

/** BullMQ's public calls create and read each state; our own reading of the keys must agree. */
const prefix = `layout-${randomUUID()}`
const opened: Queue[] = []
let redis: Redis
beforeAll(() => {
  redis = new Redis(testRedisUrl(), { maxRetriesPerRequest: null })
})
afterAll(async () => {
  for (const queue of opened) {
    await queue.obliterate({ force: true })
    await queue.close()
  }
  redis.disconnect()
})

function newQueue(): Queue {
  const queue = new Queue(randomUUID(), { connection: redis, prefix })
  opened.push(queue)
  return queue
}

const startable = (queue: Queue, before = Date.now()): Promise<number> =>
  countStartable(redis, prefix, queue.name, before)
const isRunnable = async (queue: Queue): Promise<boolean> =>
  (await findRunnable(redis, { queuePrefix: prefix, clusterNodes: undefined }, [queue.name])).has(queue.name)
const lookUp = async (queue: Queue, jobId: string) => (await lookUpJobs(redis, [{ queue, jobId }]))[0]
const FOUND = { exists: true, delayedUntil: undefined }

/** Takes the next job like a worker; the caller decides how it ends. */
async function take(queue: Queue) {
  const worker = new Worker(queue.name, undefined, { connection: redis, prefix, autorun: false })
  const job = await worker.getNextJob('token')
  if (job === undefined) throw new Error('no job to take')
  return { job, close: () => worker.close() }
}

test('a job that nobody added is not found', async () => {
  const queue = newQueue()

  expect(await queue.getJobState('job-1')).toBe('unknown')
  expect(await lookUp(queue, 'job-1')).toEqual({ exists: false, delayedUntil: undefined })
  expect(await isRunnable(queue)).toBe(false)
})

test('a waiting job is found, and may be started', async () => {
  const queue = newQueue()
  await queue.add('one', {}, { jobId: 'job-1' })

  expect(await queue.getJobState('job-1')).toBe('waiting')
  expect(await lookUp(queue, 'job-1')).toEqual(FOUND)
  expect(await startable(queue)).toBe(await queue.getWaitingCount())
  expect(await isRunnable(queue)).toBe(true)
})

test('a job with a priority is found, and may be started', async () => {
  const queue = newQueue()
  await queue.add('one', {}, { jobId: 'job-1', priority: 7 })

  expect(await queue.getJobState('job-1')).toBe('prioritized')
  expect(await lookUp(queue, 'job-1')).toEqual(FOUND)
  expect(await startable(queue)).toBe(await queue.getPrioritizedCount())
  expect(await isRunnable(queue)).toBe(true)
})

test('a delayed job is found with BullMQ’s due time, and may be started after it', async () => {
  const queue = newQueue()
  const job = await queue.add('one', {}, { jobId: 'job-1', delay: 60_000 })
  const due = job.timestamp + job.delay

  expect(await queue.getJobState('job-1')).toBe('delayed')
  expect(await lookUp(queue, 'job-1')).toEqual({ exists: true, delayedUntil: due })
  expect(await startable(queue, due - 1)).toBe(0)
  expect(await startable(queue, due + 1)).toBe(1)
  expect(await isRunnable(queue)).toBe(false)
  await job.promote()
  expect(await lookUp(queue, 'job-1')).toEqual(FOUND)
  expect(await isRunnable(queue)).toBe(true)
})

test('a delayed job that is long overdue may be started, even if nobody has promoted it', async () => {
  const queue = newQueue()
  await queue.add('one', {}, { jobId: 'job-1', delay: 1, timestamp: Date.now() - 30_000 })

  expect(await queue.getJobState('job-1')).toBe('delayed')
  expect(await isRunnable(queue)).toBe(true)
})

test('an active job is found, and may not be started', async () => {
  const queue = newQueue()
  await queue.add('one', {}, { jobId: 'job-1' })
  const taken = await take(queue)

  expect(await queue.getJobState('job-1')).toBe('active')
  expect(await lookUp(queue, 'job-1')).toEqual(FOUND)
  expect(await isRunnable(queue)).toBe(false)
  await taken.close()
})

test.each(['failed', 'completed'] as const)('a %s job is found, and may not be started', async (state) => {
  const queue = newQueue()
  await queue.add('one', {}, { jobId: 'job-1' })
  const { job, close } = await take(queue)
  if (state === 'failed') await job.moveToFailed(new Error('no'), 'token', false)
  else await job.moveToCompleted('yes', 'token', false)

  expect(await queue.getJobState('job-1')).toBe(state)
  expect(await lookUp(queue, 'job-1')).toEqual(FOUND)
  expect(await isRunnable(queue)).toBe(false)
  await close()
})

test('a paused queue is recognised until it is resumed, whatever it contains', async () => {
  const queue = newQueue()
  await queue.add('before', {}, { jobId: 'job-1' })
  await queue.pause()
  await queue.add('after', {}, { jobId: 'job-2' })

  expect(await queue.isPaused()).toBe(true)
  expect(await isQueuePaused(redis, prefix, queue.name)).toBe(true)
  expect(await isRunnable(queue)).toBe(false)
  expect(await lookUp(queue, 'job-2')).toEqual(FOUND)

  await queue.resume()
  expect(await queue.isPaused()).toBe(false)
  expect(await isQueuePaused(redis, prefix, queue.name)).toBe(false)
  expect(await startable(queue)).toBe(2)
  expect(await isRunnable(queue)).toBe(true)
})

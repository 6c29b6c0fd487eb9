import { Queue, type JobsOptions } from 'bullmq'
import { loadOnce } from '../load-once.ts'
import { prefixOfQueue, type KeyNaming, type RedisConnection } from './redis.ts'

/** A producer's queue, created when Redis is first reachable. */
export interface ProducerQueue<Data> {
  /** @throws at once while Redis is away */
  get: () => Promise<Queue<Data>>
  close: () => Promise<void>
}

/**
 * BullMQ checks the server when a Queue is created and keeps a failed check for ever, and a producer's connection fails
 * fast on purpose. So the Queue is created on first use, and again after a failure.
 */
export function openProducerQueue<Data>(
  context: { config: { redis: KeyNaming }; connection: RedisConnection; onError: (error: Error) => void },
  name: string,
  defaultJobOptions: JobsOptions = {},
): ProducerQueue<Data> {
  const { config, connection, onError } = context
  let opening: Promise<Queue<Data>> | undefined
  const open = loadOnce(async () => {
    const queue = new Queue<Data>(name, {
      connection,
      prefix: prefixOfQueue(config.redis, name),
      streams: { events: { maxLen: 1000 } },
      defaultJobOptions,
    })
    queue.on('error', onError)
    await queue.waitUntilReady()
    return queue
  })

  return {
    get: () => {
      if (connection.status !== 'ready') return Promise.reject(new Error('Redis is not reachable'))
      opening = open()
      return opening
    },
    close: async () => {
      const queue = await opening?.catch(() => undefined)
      await queue?.close()
    },
  }
}

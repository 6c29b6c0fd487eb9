import { QueueEvents } from 'bullmq'
import { openWorkerConnection, prefixOfQueue } from '#core/queue/redis.ts'
import type { Ground } from './ground.ts'
import { nameQueues } from './queues.ts'

/** Counts jobs whose worker let their lock expire; `stop` returns the number. */
export function watchStalls({ config }: Pick<Ground, 'config'>): { stop: () => Promise<number> } {
  let stalls = 0
  const listeners = nameQueues({ config }).map((name) => {
    const connection = openWorkerConnection(config.redis)
    connection.on('error', () => undefined)
    const events = new QueueEvents(name, { connection, prefix: prefixOfQueue(config.redis, name) })
    events.on('error', () => undefined)
    events.on('stalled', () => {
      stalls += 1
    })
    return async () => {
      await events.close()
      connection.disconnect()
    }
  })
  return {
    stop: async () => {
      const seen = stalls
      await Promise.all(listeners.map((close) => close()))
      return seen
    },
  }
}

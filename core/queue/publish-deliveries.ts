import type { JobsOptions } from 'bullmq'
import type { Config } from '../config.ts'
import type { DueDelivery } from '../data/plan-deliveries.ts'
import { openProducerQueue, type ProducerQueue } from './open-queue.ts'
import {
  DELIVERIES_QUEUE,
  DELIVERY_JOB_NAME,
  RETRIES_QUEUE,
  deliveryJobId,
  type DeliveryJob,
} from './queues.ts'
import type { RedisConnection } from './redis.ts'

/** A pipeline of jobs is not a transaction; in chunks, a failure repeats little. */
const CHUNK = 500
/** Looking for one job's state reads the list of all that wait, so only so many are looked for at a time. */
const SUSPECTS = 100

/** Puts deliveries on their queues: first attempts on one, retries on the other. */
export interface DeliveryQueues {
  /** @param delayMs wait before the job may run; 0 for now. @throws when Redis does not take them (the reconciler will) */
  add: (deliveries: readonly DueDelivery[], delayMs?: number) => Promise<void>
  /**
   * Re-adds those whose job is gone and leaves the others alone. Of the first ones given, also those whose job exists but
   * is in no list that a worker reads (finished, or orphaned). Answers how many were re-added.
   */
  restore: (deliveries: readonly DueDelivery[], suspects?: number) => Promise<number>
  close: () => Promise<void>
}

/** @param connection a producer's connection (core/queue/redis.ts), closed by its owner */
export function openDeliveryQueues(context: {
  config: Config
  connection: RedisConnection
  onError: (error: Error) => void
}): DeliveryQueues {
  const firsts = openProducerQueue<DeliveryJob>(context, DELIVERIES_QUEUE)
  const retries = openProducerQueue<DeliveryJob>(context, RETRIES_QUEUE)
  const queueOf = (delivery: DueDelivery): ProducerQueue<DeliveryJob> =>
    delivery.attempt === 1 ? firsts : retries

  async function add(deliveries: readonly DueDelivery[], delayMs = 0): Promise<void> {
    for (const queue of [firsts, retries]) {
      const mine = deliveries.filter((delivery) => queueOf(delivery) === queue)
      for (let at = 0; at < mine.length; at += CHUNK) {
        const ready = await queue.get()
        await ready.addBulk(mine.slice(at, at + CHUNK).map((delivery) => deliveryJob(delivery, delayMs)))
      }
    }
  }

  /** Which of them have a job, in any state; in one round trip. */
  async function findJobs(deliveries: readonly DueDelivery[]): Promise<boolean[]> {
    const pipeline = context.connection.pipeline()
    for (const delivery of deliveries) {
      const queue = await queueOf(delivery).get()
      pipeline.exists(queue.toKey(deliveryJobId(delivery.delivery_id, delivery.attempt)))
    }
    const replies = (await pipeline.exec()) ?? []
    return replies.map(([error, count]) => {
      if (error !== null) throw error
      return count === 1
    })
  }

  async function restore(deliveries: readonly DueDelivery[], suspects = SUSPECTS): Promise<number> {
    const missing: DueDelivery[] = []
    const exists = await findJobs(deliveries)
    await Promise.all(
      deliveries.map(async (delivery, index) => {
        if (exists[index] === true) {
          if (index >= suspects) return
          const queue = await queueOf(delivery).get()
          const jobId = deliveryJobId(delivery.delivery_id, delivery.attempt)
          const state = await queue.getJobState(jobId)
          if (state !== 'unknown' && state !== 'completed' && state !== 'failed') return
          // A finished or orphaned job would block its id for ever.
          await queue.remove(jobId)
        }
        missing.push(delivery)
      }),
    )
    await add(missing)
    return missing.length
  }

  return {
    add,
    restore,
    close: async () => {
      await Promise.all([firsts.close(), retries.close()])
    },
  }
}

function deliveryJob(
  delivery: DueDelivery,
  delayMs: number,
): { name: string; data: DeliveryJob; opts: JobsOptions } {
  return {
    name: DELIVERY_JOB_NAME,
    data: {
      delivery_id: delivery.delivery_id,
      webhook_config_id: delivery.webhook_config_id,
      attempt: delivery.attempt,
    },
    opts: {
      jobId: deliveryJobId(delivery.delivery_id, delivery.attempt),
      delay: Math.max(0, Math.round(delayMs)),
      // Attempts are counted in PostgreSQL; BullMQ's are only repeats after a failure of ours.
      attempts: 1_000_000,
      backoff: { type: 'custom' },
      removeOnComplete: true,
      removeOnFail: { age: 7 * 24 * 3600, count: 10_000 },
    },
  }
}

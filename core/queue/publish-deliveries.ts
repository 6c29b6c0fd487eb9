import type { JobsOptions } from 'bullmq'
import type { Config } from '../config/config.ts'
import type { DueDelivery } from '../data/webhooks/deliveries/plan-deliveries.ts'
import { findJobs, removeIfDead, type FoundJob } from './find-jobs.ts'
import { openProducerQueue, type ProducerQueue } from './open-queue.ts'
import {
  BURSTS_QUEUE,
  DELIVERIES_QUEUE,
  DELIVERY_JOB_NAME,
  RETRIES_QUEUE,
  deliveryJobId,
  type DeliveryJob,
} from './queues.ts'
import type { RedisConnection } from './redis.ts'
import { NO_TRACING, type Tracing } from '../telemetry/tracing.ts'

/** A pipeline of jobs is not a transaction; in chunks, a failure repeats little. */
const CHUNK = 500
/** So many jobs are looked for at a time. */
const TOGETHER = 100
/**
 * A job that is overdue in PostgreSQL may be delayed until a moment near Redis' own now: nobody sends one away for longer.
 * Further ahead, its time was moved forward while Redis was away; or, as further behind, a worker has another clock.
 */
const ASLEEP_AHEAD_MS = 60_000
const ASLEEP_BEHIND_MS = 5000

/** Which of the given ones {@link DeliveryQueues.restore} looks at closely, by their place: from, and before. */
export interface Suspects {
  from: number
  before: number
}

/** Puts deliveries on their queues: first attempts on one, the excess of a burst on another, retries on a third. */
export interface DeliveryQueues {
  /** @param delayMs wait before the job may run; 0 for now. @throws when Redis does not take them (the reconciler will) */
  add: (deliveries: readonly DueDelivery[], delayMs?: number) => Promise<void>
  /** Wakes the jobs of deliveries that have become due before their planned time; adds those that are gone. */
  hurry: (deliveries: readonly DueDelivery[]) => Promise<void>
  /**
   * Re-adds overdue ones whose job is gone, wakes those whose job sleeps for too long, and leaves the others alone. Of
   * the suspects, also those whose job exists but is in no list that a worker reads (finished, or orphaned); to find that out
   * reads the list of all that wait, so they should be few. Answers how many were re-added or woken.
   */
  restore: (deliveries: readonly DueDelivery[], suspects: Suspects) => Promise<number>
  /** Is there one among them whose job is not delayed until later? */
  haveUndelayed: (deliveries: readonly DueDelivery[]) => Promise<boolean>
  close: () => Promise<void>
}

/** @param connection a producer's connection (core/queue/redis.ts), closed by its owner */
export function openDeliveryQueues(context: {
  config: Config
  connection: RedisConnection
  onError: (error: Error) => void
  tracing?: Tracing
}): DeliveryQueues {
  const { tracing = NO_TRACING } = context
  const firsts = openProducerQueue<DeliveryJob>(context, DELIVERIES_QUEUE)
  const retries = openProducerQueue<DeliveryJob>(context, RETRIES_QUEUE)
  const bursts = openProducerQueue<DeliveryJob>(context, BURSTS_QUEUE)
  const queueOf = ({ attempt, turn, probe }: DueDelivery): ProducerQueue<DeliveryJob> => {
    if (probe === true) return firsts
    if (attempt > 1) return retries
    return turn === 0 ? firsts : bursts
  }

  async function add(deliveries: readonly DueDelivery[], delayMs = 0): Promise<void> {
    for (const queue of [firsts, bursts, retries]) {
      const mine = deliveries.filter((delivery) => queueOf(delivery) === queue)
      for (let at = 0; at < mine.length; at += CHUNK) {
        const ready = await queue.get()
        await ready.addBulk(
          mine
            .slice(at, at + CHUNK)
            .map((delivery) => deliveryJob({ trace: tracing.carry(), ...delivery }, delayMs)),
        )
      }
    }
  }

  async function hurry(deliveries: readonly DueDelivery[]): Promise<void> {
    const missing: DueDelivery[] = []
    for (let at = 0; at < deliveries.length; at += TOGETHER) {
      await Promise.all(
        deliveries.slice(at, at + TOGETHER).map(async (delivery) => {
          const queue = await queueOf(delivery).get()
          const job = await queue.getJob(deliveryJobId(delivery.delivery_id, delivery.attempt))
          if (job === undefined) missing.push(delivery)
          // It may run or wait already, or have ended since: then there is nothing to wake.
          else if (await job.isDelayed()) await job.promote().catch(() => undefined)
        }),
      )
    }
    await add(missing)
  }

  async function find(deliveries: readonly DueDelivery[]): Promise<FoundJob[]> {
    const places = deliveries.map(async (delivery) => ({
      queue: await queueOf(delivery).get(),
      jobId: deliveryJobId(delivery.delivery_id, delivery.attempt),
    }))
    return findJobs(context.connection, await Promise.all(places))
  }

  async function restore(deliveries: readonly DueDelivery[], suspects: Suspects): Promise<number> {
    const jobs = await find(deliveries)
    const gone = new Set<number>()
    await Promise.all(
      jobs.map(async (job, index) => {
        const isSuspect = index >= suspects.from && index < suspects.before
        if (isSuspect ? await removeIfDead(job) : !job.exists) gone.add(index)
      }),
    )
    // In the order given, which is oldest first.
    const missing = deliveries.filter((_delivery, index) => gone.has(index))
    await add(missing)
    const woken = await wakeSleepers(jobs)
    return missing.length + woken
  }

  async function wakeSleepers(jobs: readonly FoundJob[]): Promise<number> {
    if (jobs.every(({ delayedUntil }) => delayedUntil === undefined)) return 0
    const [seconds] = await context.connection.time()
    const now = Number(seconds) * 1000
    const asleep = jobs.filter(
      ({ delayedUntil }) =>
        delayedUntil !== undefined &&
        (delayedUntil > now + ASLEEP_AHEAD_MS || delayedUntil < now - ASLEEP_BEHIND_MS),
    )
    for (const { queue, jobId } of asleep) {
      const job = await queue.getJob(jobId)
      // It may have been fetched meanwhile.
      await job?.promote().catch(() => undefined)
    }
    return asleep.length
  }

  return {
    add,
    hurry,
    restore,
    haveUndelayed: async (deliveries) =>
      (await find(deliveries)).some(({ delayedUntil }) => delayedUntil === undefined),
    close: async () => {
      await Promise.all([firsts.close(), bursts.close(), retries.close()])
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
      client_user_id: delivery.client_user_id,
      attempt: delivery.attempt,
    },
    opts: {
      jobId: deliveryJobId(delivery.delivery_id, delivery.attempt),
      delay: Math.max(0, Math.round(delayMs)),
      // Without a priority it runs before all that have one, then the smallest first.
      ...(delivery.turn > 0 && { priority: delivery.turn }),
      ...(delivery.trace !== undefined && { telemetry: { metadata: delivery.trace } }),
      // Attempts, and failures that are the delivery's own, are counted in PostgreSQL. BullMQ's are repeats of what is no
      // delivery's fault, for as long as it lasts.
      attempts: 1_000_000,
      backoff: { type: 'custom' },
      removeOnComplete: true,
      removeOnFail: { age: 7 * 24 * 3600, count: 10_000 },
    },
  }
}

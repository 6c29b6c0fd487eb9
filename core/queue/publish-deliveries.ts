import type { JobsOptions } from 'bullmq'
import type { Config } from '../config/config.ts'
import type { DueDelivery } from '../data/webhooks/deliveries/plan-deliveries.ts'
import { failpoint } from '../failpoints.ts'
import { NO_TRACING, type Tracing } from '../telemetry/tracing.ts'
import { openProducerQueue } from './open-queue.ts'
import { DELIVERIES_QUEUE, DELIVERY_JOB_NAME, type WakeUpJob } from './queues.ts'
import type { RedisConnection } from './redis.ts'
import { chooseShard, listShards, queueInShard } from './shards.ts'

/** Number of endpoints in one wake-up job. */
const TOGETHER = 100

/**
 * Sends wake-ups: tells the workers which endpoints have due deliveries. The deliveries wait as rows, and each worker
 * polls them once a second. So a superfluous wake-up does no harm, and a lost one costs at most a second.
 */
export interface DeliveryPublisher {
  /**
   * Sends each wake-up to the queue of its client's shard.
   * @throws when Redis does not take one of them; the others have been sent anyway
   */
  publish: (deliveries: readonly DueDelivery[]) => Promise<void>
  close: () => Promise<void>
}

/** @param connection a producer's connection (core/queue/redis.ts), closed by its owner */
export function openDeliveryPublisher(context: {
  config: Config
  connection: RedisConnection
  onError: (error: Error) => void
  tracing?: Tracing
}): DeliveryPublisher {
  const { tracing = NO_TRACING } = context
  const queues = listShards(context.config.redis.shards).map((shard) =>
    openProducerQueue<WakeUpJob>(context, queueInShard(DELIVERIES_QUEUE, shard)),
  )
  const tracesOf = (deliveries: readonly DueDelivery[]): Record<string, string> =>
    Object.fromEntries(
      deliveries.flatMap(({ delivery_id: id, trace = tracing.carry() }) =>
        trace === undefined ? [] : [[id, trace]],
      ),
    )
  const wake = async (shard: number, deliveries: readonly DueDelivery[]): Promise<void> => {
    const endpoints = groupByEndpoint(deliveries)
    for (let at = 0; at < endpoints.length; at += TOGETHER) {
      const [first, ...more] = endpoints.slice(at, at + TOGETHER)
      if (first === undefined) return
      const { name, data, opts } = describeWakeUp(first, more, at === 0 ? tracesOf(deliveries) : {})
      await (await queues[shard]?.get())?.add(name, data, opts)
    }
  }
  return {
    publish: async (deliveries) => {
      await failpoint('before-wake-up')
      const shards = Map.groupBy(deliveries, ({ client_user_id: client }) =>
        chooseShard(client, queues.length),
      )
      const sent = await Promise.allSettled([...shards].map(([shard, its]) => wake(shard, its)))
      const failed = sent.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
      await failpoint('after-wake-up')
    },
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()))
    },
  }
}

/** An endpoint, with one of its deliveries and how many are due. */
interface Endpoint {
  first: DueDelivery
  count: number
}

function groupByEndpoint(deliveries: readonly DueDelivery[]): Endpoint[] {
  const endpoints = new Map<string, Endpoint>()
  for (const delivery of deliveries) {
    const { first, count } = endpoints.get(delivery.webhook_config_id) ?? { first: delivery, count: 0 }
    endpoints.set(delivery.webhook_config_id, { first, count: count + 1 })
  }
  return [...endpoints.values()]
}

function describeWakeUp(
  { first, count }: Endpoint,
  more: readonly Endpoint[],
  traces: Readonly<Record<string, string>>,
): { name: string; data: WakeUpJob; opts: JobsOptions } {
  return {
    name: DELIVERY_JOB_NAME,
    data: {
      delivery_id: first.delivery_id,
      webhook_config_id: first.webhook_config_id,
      client_user_id: first.client_user_id,
      attempt: first.attempt,
      count,
      ...(more.length > 0 && {
        more: more.map((one) => [one.first.client_user_id, one.first.webhook_config_id, one.count]),
      }),
      ...(Object.keys(traces).length > 0 && { traces }),
    },
    opts: { removeOnComplete: true, removeOnFail: true },
  }
}

import type { JobsOptions } from 'bullmq'
import type { Config } from '../config/config.ts'
import type { DueDelivery } from '../data/webhooks/deliveries/plan-deliveries.ts'
import { failpoint } from '../failpoints.ts'
import { NO_TRACING, type Tracing } from '../telemetry/tracing.ts'
import { openProducerQueue } from './open-queue.ts'
import { DELIVERIES_QUEUE, DELIVERY_JOB_NAME, type WakeUpJob } from './queues.ts'
import type { RedisConnection } from './redis.ts'
import { chooseShard, listShards, queueInShard } from './shards.ts'

/** Endpoints for which one job rings. */
const TOGETHER = 100

/**
 * Tells the workers that deliveries are due. They wait as rows; what is put on the queue only rings for their endpoints, so a ring
 * too many or one that is lost does no harm: each worker looks at what is due once a second.
 */
export interface DeliveryPublisher {
  /** Each on the queue of its client's shard. @throws when Redis does not take one of them; the others have been told all the same */
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
  const ring = async (shard: number, deliveries: readonly DueDelivery[]): Promise<void> => {
    const rings = ringsOf(deliveries)
    for (let at = 0; at < rings.length; at += TOGETHER) {
      const [first, ...more] = rings.slice(at, at + TOGETHER)
      if (first === undefined) return
      const { name, data, opts } = ringJob(first, more, at === 0 ? tracesOf(deliveries) : {})
      await (await queues[shard]?.get())?.add(name, data, opts)
    }
  }
  return {
    publish: async (deliveries) => {
      await failpoint('before-wake-up')
      const shards = Map.groupBy(deliveries, ({ client_user_id: client }) =>
        chooseShard(client, queues.length),
      )
      const rung = await Promise.allSettled([...shards].map(([shard, its]) => ring(shard, its)))
      const failed = rung.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
      await failpoint('after-wake-up')
    },
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()))
    },
  }
}

/** One ring for an endpoint, however many of its deliveries there are. */
interface Ring {
  first: DueDelivery
  count: number
}

function ringsOf(deliveries: readonly DueDelivery[]): Ring[] {
  const rings = new Map<string, Ring>()
  for (const delivery of deliveries) {
    const { first, count } = rings.get(delivery.webhook_config_id) ?? { first: delivery, count: 0 }
    rings.set(delivery.webhook_config_id, { first, count: count + 1 })
  }
  return [...rings.values()]
}

function ringJob(
  { first, count }: Ring,
  more: readonly Ring[],
  traces: Readonly<Record<string, string>>,
): { name: string; data: WakeUpJob; opts: JobsOptions } {
  return {
    name: DELIVERY_JOB_NAME,
    data: {
      // A worker of the version before makes this one attempt, and finds the others by itself.
      delivery_id: first.delivery_id,
      webhook_config_id: first.webhook_config_id,
      client_user_id: first.client_user_id,
      attempt: first.attempt,
      count,
      ...(more.length > 0 && {
        more: more.map((ring) => [ring.first.client_user_id, ring.first.webhook_config_id, ring.count]),
      }),
      ...(Object.keys(traces).length > 0 && { traces }),
    },
    opts: { removeOnComplete: true, removeOnFail: true },
  }
}

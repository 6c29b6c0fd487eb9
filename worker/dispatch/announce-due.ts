import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { DISPATCH } from '#core/fairness/limits.ts'
import type { WorkerContext } from '../context.ts'
import type { Dispatcher } from './open-dispatcher.ts'

/** Tells of deliveries that this worker has just planned. It does not fail: what nobody was told of is found by a look. */
export type AnnounceDue = (deliveries: readonly DueDelivery[]) => Promise<void>

/** This worker hears of them at once, without Redis; the others are rung for where there is more than one should send alone. */
export function createAnnounceDue(
  { deliveries: publisher, logger }: Pick<WorkerContext, 'deliveries' | 'logger'>,
  dispatcher: Pick<Dispatcher, 'notify' | 'isFull'>,
): AnnounceDue {
  return async function announceDue(deliveries) {
    const endpoints = Map.groupBy(deliveries, (delivery) => delivery.webhook_config_id)
    for (const [endpoint, due] of endpoints) {
      const [first] = due
      const ids = due.map(({ delivery_id: id }) => id)
      if (first !== undefined) void dispatcher.notify(first.client_user_id, endpoint, due.length, ids)
    }
    if (deliveries.length <= DISPATCH.aloneMost && !dispatcher.isFull()) return
    await publisher.publish(deliveries).catch((error: unknown) => {
      const says = 'redis took no ring for deliveries; they are found without it'
      logger.warn({ err: error, count: deliveries.length }, says)
    })
  }
}

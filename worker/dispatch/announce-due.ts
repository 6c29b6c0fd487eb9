import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { DISPATCH } from '#core/fairness/limits.ts'
import type { WorkerContext } from '../context.ts'
import type { Dispatcher } from './open-dispatcher.ts'

/**
 * Tells the dispatchers about deliveries that this worker has just planned. This never fails: the poll finds deliveries
 * that nobody was told about.
 */
export type AnnounceDue = (deliveries: readonly DueDelivery[]) => Promise<void>

/**
 * This worker's dispatcher is told at once, without Redis. Other workers get a wake-up if there are more deliveries
 * than one worker should send.
 */
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
      const says = 'redis took no wake-up for deliveries; the poll finds them'
      logger.warn({ err: error, count: deliveries.length }, says)
    })
  }
}

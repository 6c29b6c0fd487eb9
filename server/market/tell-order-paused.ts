import type { Db } from '#core/data/database.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { writeClientEvents } from '#core/data/outbox/write-client-events.ts'

/**
 * Tells a client's webhooks that an order buys no more, because the client or an administrator has paused it.
 * @returns the events to announce after the commit
 */
export async function tellOrderPaused(
  trx: Db,
  order: { id: string; name: string; client_user_id: string },
  paused_by: 'client' | 'administrator',
): Promise<EventToEnqueue[]> {
  const { id, name, client_user_id } = order
  const data = { order_id: id, order_name: name, paused_by }
  return await writeClientEvents(trx, [
    { type: 'order.paused', client_user_id, subject: { type: 'order', id }, data },
  ])
}

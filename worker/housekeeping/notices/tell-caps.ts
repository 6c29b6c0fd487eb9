import { listReachedCaps, listUntoldCaps, type ReachedCap } from '#core/data/market/notices/reached-caps.ts'
import { noteToldEvent, removeOldNotes } from '#core/data/outbox/told-events.ts'
import { writeClientEvents } from '#core/data/outbox/write-client-events.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import type { WorkerContext } from '#worker/context.ts'

/**
 * Tells clients, by mail and by webhooks, if they chose so, that an order has reached a cap or a budget: once for each
 * period.
 */
export async function tellCaps({ db }: Pick<WorkerContext, 'db'>): Promise<void> {
  for (const { client_user_id, order_id, order_name, cap, limit, period } of await listReachedCaps(db)) {
    const notice = { template: 'cap_reached', data: { order_name, cap, limit } } as const
    await tellClient(db, client_user_id, notice, [order_id, cap, period].join(':'))
  }
  const untold = await listUntoldCaps(db)
  for (const reached of untold) await tellWebhooks(db, reached)
  if (untold.length > 0) await removeOldNotes(db, 'order.cap_reached', 'total:')
}

async function tellWebhooks(
  db: WorkerContext['db'],
  { client_user_id, order_id, order_name, cap, limit, period, opens_at }: ReachedCap,
): Promise<void> {
  const about = { client_user_id, type: 'order.cap_reached' } as const
  const data = {
    order_id,
    order_name,
    cap,
    cap_limit: Number(limit),
    opens_at: opens_at?.toISOString() ?? null,
  }
  await db.transaction().execute(async (trx) => {
    // Another worker may tell the same.
    if (!(await noteToldEvent(trx, { ...about, key: [cap, order_id, period].join(':') }))) return
    await writeClientEvents(trx, [{ ...about, subject: { type: 'order', id: order_id }, data }])
  })
}

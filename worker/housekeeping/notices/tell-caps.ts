import { listReachedCaps } from '#core/data/market/notices/reached-caps.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import type { WorkerContext } from '#worker/context.ts'

/** Mails clients, if they chose so, that an order has reached a cap or a budget: once for each period. */
export async function tellCaps({ db }: Pick<WorkerContext, 'db'>): Promise<void> {
  for (const { client_user_id, order_id, order_name, cap, limit, period } of await listReachedCaps(db)) {
    const notice = { template: 'cap_reached', data: { order_name, cap, limit } } as const
    await tellClient(db, client_user_id, notice, [order_id, cap, period].join(':'))
  }
}

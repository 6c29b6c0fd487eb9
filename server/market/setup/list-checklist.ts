import { MOST_ORDERS, type OrderChecklist } from '#core/contract/market/order.ts'
import { APP_PATHS } from '#core/contract/paths.ts'
import { listOrders } from '#core/data/market/orders.ts'
import { readDeliveryStanding } from '#core/data/market/standing-of-deliveries.ts'
import { writeChecklist } from '#core/domain/market/write-checklist.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import type { ServerContext } from '../../context.ts'
import { prepareOrder, requireMarketOfClient } from '../describe-orders.ts'

/** The screen that fixes each line of the checklist. */
const FIXES: Record<OrderChecklist['data'][number]['code'], string> = {
  account_active: APP_PATHS.settings,
  order_active: APP_PATHS.orders,
  in_date_range: APP_PATHS.orders,
  schedule_open: APP_PATHS.orders,
  state_selected: APP_PATHS.orders,
  under_caps: APP_PATHS.orders,
  funded: `${APP_PATHS.settings}?tab=billing`,
  lead_age: APP_PATHS.orders,
  delivery_method: APP_PATHS.clientIntegrations,
  last_delivery: APP_PATHS.clientIntegrations,
}

/** The reasons why the caller gets leads, or does not. */
export async function listChecklist(context: ServerContext, caller: Principal): Promise<OrderChecklist> {
  const market = await requireMarketOfClient(context, caller)
  const page = { limit: MOST_ORDERS, after: undefined, member: caller.member_user_id }
  const rows = await listOrders(context.db, caller.user_id, page)
  const orders = await Promise.all(rows.map((row) => context.inSlices(() => prepareOrder(row, market))))
  const deliveries = await readDeliveryStanding(context.db, caller.user_id)
  const lines = await context.inSlices(() => writeChecklist(orders, deliveries, new Date()))
  return { data: lines.map((line) => ({ ...line, fix: FIXES[line.code] })) }
}

import type { Order } from '#core/contract/market/order.ts'
import { lockOrder, setOrderPaused, type OrderRow } from '#core/data/market/orders.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { requireOrder } from './save-order.ts'
import { tellOrderPaused } from './tell-order-paused.ts'

/**
 * A client pauses an order, or ends its own pause. A repeat is harmless. A pause of others stays; the client
 * can still set or end its own beneath it.
 * @throws AppError not_found; conflict if only an administrator or the system paused the order that is to go
 * on
 */
export async function switchOrder(
  context: ServerContext,
  caller: Principal,
  id: string,
  isPaused: boolean,
): Promise<Order> {
  const told = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const row = await lockOrder(trx, caller.user_id, id)
      if (row === undefined) throw new AppError('not_found', 'Order not found')
      const isOthers = row.paused_by !== null && row.paused_by !== 'client'
      if (isPaused === (row.paused_by === 'client' || row.also_paused_by_client)) {
        if (isOthers && !isPaused) refuseOthersPause(row)
        return []
      }
      await setOrderPaused(
        trx,
        id,
        isOthers ? { also_paused_by_client: isPaused } : { paused_by: isPaused ? 'client' : null },
      )
      // One that others have paused buys no less than before.
      if (!isPaused || isOthers) return []
      return await tellOrderPaused(trx, { ...row, client_user_id: caller.user_id }, 'client')
    }),
  )
  context.announce.events(told)
  return await requireOrder(context, caller, id)
}

function refuseOthersPause({ paused_by, pause_reason }: OrderRow): never {
  const why = pause_reason === null ? '' : ` (${pause_reason})`
  throw new AppError(
    'conflict',
    paused_by === 'admin'
      ? `An administrator has paused this order${why}, and only an administrator can resume it.`
      : `This order was paused automatically${why}, and only an administrator can resume it.`,
  )
}

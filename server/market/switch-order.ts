import type { Order } from '#core/contract/market/order.ts'
import { lockOrder, setOrderPaused } from '#core/data/market/orders.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { repeatOnConflict } from '../http/database/repeat-on-conflict.ts'
import { requireOrder } from './save-order.ts'

/**
 * Pauses an order, or lets it go on. Once more is harmless; what others have paused stays theirs.
 * @throws AppError not_found; conflict where an administrator or the system has paused what is to go on
 */
export async function switchOrder(
  context: ServerContext,
  caller: Principal,
  id: string,
  isPaused: boolean,
): Promise<Order> {
  await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const row = await lockOrder(trx, caller.user_id, id)
      if (row === undefined) throw new AppError('not_found', 'Order not found')
      if (isPaused === (row.paused_by !== null)) return
      if (!isPaused) refuseOthersPause(row)
      await setOrderPaused(trx, id, isPaused)
    }),
  )
  return await requireOrder(context, caller, id)
}

function refuseOthersPause({
  paused_by,
  pause_reason,
}: {
  paused_by: string | null
  pause_reason: string | null
}) {
  if (paused_by === 'client') return
  const why = pause_reason === null ? '' : ` (${pause_reason})`
  throw new AppError(
    'conflict',
    paused_by === 'admin'
      ? `An administrator has paused this order${why}, and only an administrator can resume it.`
      : `This order was paused automatically${why}, and only an administrator can resume it.`,
  )
}

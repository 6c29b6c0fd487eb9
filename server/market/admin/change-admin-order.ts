import type { AdminOrder, AdminOrderChange } from '#core/contract/market/admin-order.ts'
import { changeAdminOrder, lockAdminOrder } from '#core/data/market/admin-orders.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { answerVersionConflict } from '../../http/errors/answer-version-conflict.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import type { Answer } from '../../http/route.ts'
import { auditChange, type By } from '../audit-change.ts'
import { tellOrderPaused } from '../tell-order-paused.ts'
import { describeAdminOrders } from './describe-admin-orders.ts'
import { refusePrice } from './refuse-price.ts'

type Locked = NonNullable<Awaited<ReturnType<typeof lockAdminOrder>>>
type Decided = Pick<Locked, 'price' | 'priority' | 'weight' | 'paused_by' | 'pause_reason'>

/**
 * Changes the terms of an order that administrators decide: price, priority, weight, and their pause. If two
 * change the same version, the second is answered with both values.
 * @throws AppError not_found, validation_failed, conflict
 */
export async function changeOrderByAdmin(
  context: ServerContext,
  by: By,
  id: string,
  { version, note, ...wished }: AdminOrderChange,
): Promise<Answer> {
  const { isCurrent, told } = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const row = await lockAdminOrder(trx, id)
      if (row === undefined) throw orderNotFound()
      if (row.version !== version) return { isCurrent: false, told: [] }
      if (wished.price !== undefined && wished.price !== null) refusePrice(wished.price, row.floor_price)
      const after = decide(row, wished)
      const changed = (Object.keys(after) as Array<keyof Decided>).filter(
        (field) => after[field] !== row[field],
      )
      if (changed.length === 0) return { isCurrent: true, told: [] }
      await changeAdminOrder(trx, id, after)
      const events: EventToEnqueue[] = []
      if (after.paused_by === 'admin' && row.paused_by !== 'admin') {
        const data = { order_name: row.name, reason: after.pause_reason }
        await tellClient(trx, row.client_user_id, { template: 'order_paused', data }, `${id}-${version}`)
        // The client's own pause was told when it began; the order buys no less now.
        if (row.paused_by === null)
          events.push(...(await tellOrderPaused(trx, { ...row, id }, 'administrator')))
      }
      const pick = (values: Decided) => Object.fromEntries(changed.map((field) => [field, values[field]]))
      const details = { order_id: id, before: pick(row), after: pick(after), note }
      await auditChange(trx, by, { action: 'order_changed_by_admin', client: row.client_user_id, details })
      return { isCurrent: true, told: events }
    }),
  )
  context.announce.events(told)
  const order = await requireOrder(context, id)
  return isCurrent ? { status: 200, json: order } : answerVersionConflict(order, wished)
}

function decide(
  row: Locked,
  { price, priority, weight, paused, reason }: Omit<AdminOrderChange, 'version' | 'note'>,
): Decided {
  // The client's own pause has its own reason and stays when an administrator's pause ends.
  if (paused === false && row.paused_by === 'client')
    throw new AppError('conflict', 'The client has paused this order himself; only he can resume it.')
  const pause =
    paused === undefined
      ? { paused_by: row.paused_by, pause_reason: row.pause_reason }
      : paused
        ? { paused_by: 'admin', pause_reason: reason ?? null }
        : { paused_by: row.also_paused_by_client ? 'client' : null, pause_reason: null }
  return {
    price: price === undefined ? row.price : price,
    priority: priority ?? row.priority,
    weight: weight ?? row.weight,
    ...pause,
  }
}

async function requireOrder({ db }: ServerContext, id: string): Promise<AdminOrder> {
  const [order] = await describeAdminOrders(db, { id }, { limit: 1, after: undefined })
  if (order === undefined) throw orderNotFound()
  const { position: _position, ...shown } = order
  return shown
}

function orderNotFound(): AppError {
  return new AppError('not_found', 'Order not found')
}

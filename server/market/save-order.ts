import { isDeepStrictEqual } from 'node:util'
import {
  MOST_NEW_ORDERS,
  MOST_ORDERS,
  NEW_ORDERS_DAYS,
  type NewOrder,
  type Order,
  type OrderChange,
  type OrderTerms,
} from '#core/contract/market/order.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { readInheritedTerms } from '#core/data/market/admin-orders.ts'
import type { Db } from '#core/data/database.ts'
import type { MarketOfClient } from '#core/data/market/market-of-client.ts'
import {
  countOrders,
  findOrder,
  insertOrder,
  lockNewOrders,
  lockOrder,
  readOwnOrdersLocked,
  removeOrder,
  updateOrder,
  type OrderFields,
  type OrderRow,
} from '#core/data/market/orders.ts'
import { refuseUnknownPlace } from '#core/zip-table/zip-table.ts'
import { findOrderFaults, findStateFaults } from '#core/domain/market/orders/check-order.ts'
import { findHeadStart } from '#core/domain/market/choice/find-head-start.ts'
import { countOn } from '#core/domain/market/tally.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { createOnce } from '../http/create-once.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { chooseMember, keyOwnerOf } from './own-member.ts'
import { describeOrderRow, readTerms, requireMarketOfClient } from './describe-orders.ts'

/**
 * Creates an order of the caller, paused unless it is to be active at once. Terms that administrators decided
 * for the caller's last order carry over.
 * @throws AppError too_many_orders, validation_failed
 */
export async function createOrder(
  context: ServerContext,
  caller: Principal,
  given: { order: NewOrder; bodyText: string; idempotencyKey: string | undefined },
): Promise<Order> {
  const { active, ...terms } = given.order
  const { user_id } = caller
  const market = await requireMarketOfClient(context, caller)
  refuse([
    ...findTypeFaults(terms.lead_type, market),
    ...findStateFaults(terms.states, market.account.licensed_states),
    ...findOrderFaults(terms),
    ...findCentreFaults(terms.near_zip),
  ])
  const { id } = await createOnce(
    context,
    {
      user_id: keyOwnerOf(caller),
      operation: 'order.create',
      key: given.idempotencyKey,
      content: given.bodyText,
    },
    async (trx, id) => {
      const { name, lead_type, timezone = market.account.timezone } = terms
      const member_user_id = await chooseMember(trx, caller, terms.member_user_id)
      await lockNewOrders(trx, user_id)
      await refuseTooManyOrders(trx, user_id)
      const inherited = await readInheritedTerms(trx, user_id, lead_type)
      const own = await readOwnOrdersLocked(trx, user_id, lead_type)
      const headStart = findHeadStart(own, { timezone, weight: inherited?.weight ?? 1 }, new Date())
      const others = inherited?.paused_by ?? null
      await insertOrder(trx, {
        ...writeFields(terms),
        ...inherited,
        ...headStart,
        id,
        client_user_id: user_id,
        member_user_id,
        name,
        lead_type,
        timezone,
        paused_by: others ?? (active ? null : 'client'),
        also_paused_by_client: others !== null && !active,
      })
    },
  )
  return describeOrderRow(await requireRow(context, caller, id), market, new Date())
}

/** The result of a change; another change may have come first. */
export type ChangedOrder =
  | { outcome: 'changed'; order: Order }
  | {
      outcome: 'conflict'
      current: Order
      yours: Record<string, unknown>
      theirs: Record<string, unknown>
    }

/**
 * Changes the given fields, if the order still has the version that the caller read; otherwise writes
 * nothing.
 * @throws AppError not_found, validation_failed
 */
export async function changeOrder(
  context: ServerContext,
  caller: Principal,
  id: string,
  { version, ...change }: OrderChange,
): Promise<ChangedOrder> {
  const market = await requireMarketOfClient(context, caller)
  const { row, conflict } = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const member = await chooseMemberOf(trx, caller, change)
      const before = await lockOrder(trx, caller.user_id, id)
      if (before === undefined) throw orderNotFound()
      const terms = readTerms(before)
      if (before.version !== version)
        return {
          row: before,
          conflict: findDifferences(change, { ...terms, member_user_id: before.member_user_id }),
        }
      refuse(findChangeFaults(change, terms, market))
      const counting = change.timezone === undefined ? {} : countOn(before, change.timezone, new Date())
      return { row: await updateOrder(trx, id, { ...writeFields(change), ...counting, ...member }) }
    }),
  )
  const order = describeOrderRow(row, market, new Date())
  return conflict === undefined
    ? { outcome: 'changed', order }
    : { outcome: 'conflict', current: order, ...conflict }
}

/** The person whom a change names, if it names one. */
async function chooseMemberOf(trx: Db, caller: Principal, change: Pick<OrderChange, 'member_user_id'>) {
  if (change.member_user_id === undefined) return {}
  return { member_user_id: await chooseMember(trx, caller, change.member_user_id) }
}

/** @throws AppError not_found */
export async function deleteOrder(context: ServerContext, caller: Principal, id: string): Promise<void> {
  if (!(await removeOrder(context.db, caller.user_id, id))) throw orderNotFound()
}

/** @throws AppError not_found, also for another client's order */
export async function requireOrder(context: ServerContext, caller: Principal, id: string): Promise<Order> {
  const row = await requireRow(context, caller, id)
  return describeOrderRow(row, await requireMarketOfClient(context, caller), new Date())
}

async function requireRow({ db }: ServerContext, caller: Principal, id: string): Promise<OrderRow> {
  const row = await findOrder(db, caller.user_id, id)
  if (row === undefined) throw orderNotFound()
  return row
}

function orderNotFound(): AppError {
  return new AppError('not_found', 'Order not found')
}

async function refuseTooManyOrders(trx: Parameters<typeof countOrders>[0], owner: string) {
  const { live, made } = await countOrders(trx, owner, { days: NEW_ORDERS_DAYS, most: MOST_NEW_ORDERS })
  if (live >= MOST_ORDERS)
    throw new AppError(
      'too_many_orders',
      `An account may have ${MOST_ORDERS} orders at most, and yours has ${live}. Delete one that you no longer need, then create this one.`,
    )
  if (made >= MOST_NEW_ORDERS)
    throw new AppError(
      'too_many_orders',
      `An account may create ${MOST_NEW_ORDERS} orders within ${NEW_ORDERS_DAYS} days, and yours has. Change an order that you have, or create this one tomorrow.`,
    )
}

/** Both values of each field that was to change and has another value now. */
function findDifferences(
  change: Omit<OrderChange, 'version'>,
  there: OrderTerms & Pick<Order, 'member_user_id'>,
) {
  const stored = new Map<string, unknown>(Object.entries(there))
  const differing = Object.entries(change).filter(
    ([field, value]) => !isDeepStrictEqual(value, stored.get(field)),
  )
  return {
    yours: Object.fromEntries(differing),
    theirs: Object.fromEntries(differing.map(([field]) => [field, stored.get(field)])),
  }
}

/** The faults of a change, by itself and together with the unchanged terms. */
function findChangeFaults(
  change: Omit<OrderChange, 'version'>,
  terms: OrderTerms,
  { account }: MarketOfClient,
): FieldError[] {
  // An administrator's price is for one lead type and does not carry over to another.
  if (change.lead_type !== undefined && change.lead_type !== terms.lead_type) {
    const message = 'An order keeps its lead type. Create another order for another type'
    return [{ path: 'lead_type', message }]
  }
  return [
    // Assignment skips states for which the licence was lost since. Only the states chosen now are judged.
    ...(change.states === undefined
      ? []
      : findStateFaults(change.states, account.licensed_states, terms.states)),
    ...findOrderFaults({ ...terms, ...withoutAbsent(change) }),
    ...findCentreFaults(change.near_zip ?? null),
  ]
}

/** Finds that the place of a ZIP code is unknown, so that no lead could be near it. */
function findCentreFaults(zip: string | null): FieldError[] {
  const message = zip === null ? undefined : refuseUnknownPlace(zip)
  return message === undefined ? [] : [{ path: 'near_zip', message }]
}

/** Finds that no lead type has this code. */
export function findTypeFaults(code: string, { lead_types }: MarketOfClient): FieldError[] {
  return lead_types.some((type) => type.code === code)
    ? []
    : [{ path: 'lead_type', message: 'No such lead type' }]
}

/** @throws AppError validation_failed if there is an error */
export function refuse(errors: FieldError[]): void {
  if (errors.length === 0) return
  throw new AppError('validation_failed', `The body has ${errors.length} fault(s).`, { errors })
}

function writeFields({ schedule, ...rest }: Omit<OrderChange, 'version'>): OrderFields {
  return {
    ...withoutAbsent(rest),
    ...(schedule === undefined ? {} : { schedule: schedule === null ? null : JSON.stringify(schedule) }),
  }
}

function withoutAbsent<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Fields]: Exclude<Fields[Field], undefined>
  }
}

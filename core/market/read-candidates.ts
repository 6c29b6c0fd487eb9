import { scheduleSchema } from '#core/contract/market/schedule.ts'
import {
  readOrders,
  readPrices,
  type OrderRow,
  type PriceRow,
} from '#core/data/market/sale/candidate-orders.ts'
import type { Db } from '#core/data/database.ts'
import type { OrderToChoose } from '#core/domain/market/choose-order.ts'
import { keyOfPrice, type PriceList } from '#core/domain/market/find-price.ts'
import type { AccountToJudge } from '#core/domain/market/judge-order.ts'

/** An order as it is decided about, and what tells that it has changed since. */
export interface CandidateOrder extends OrderToChoose {
  lead_type: string
  version: number
}

export interface Candidates {
  /** the moment that is decided for */
  at: Date
  orders: Map<string, CandidateOrder>
  /** by client, shared by his orders */
  accounts: Map<string, AccountToJudge>
}

/**
 * The orders for these types of leads, with their clients' accounts and prices. Nothing is locked.
 * @param only these, where they are given
 */
export async function readCandidates(
  db: Db,
  types: readonly string[],
  only?: readonly string[],
): Promise<Candidates> {
  const prices = new Map((await readPrices(db, types)).map((row) => [row.code, shapePrices(row)]))
  const rows = await readOrders(db, types, only)
  const accounts = new Map<string, AccountToJudge>()
  const orders = new Map<string, CandidateOrder>()
  for (const row of rows) {
    const { client_user_id: client, is_active, licensed_states, balance } = row
    const account = accounts.get(client) ?? { is_active, licensed_states, balance }
    accounts.set(client, account)
    orders.set(row.id, shapeOrder(row, account, prices.get(row.lead_type) ?? NO_PRICES))
  }
  return { at: rows[0]?.now ?? new Date(), orders, accounts }
}

const NO_PRICES: PriceList = { price: Infinity, floor: Infinity, exceptions: new Map() }

function shapeOrder(row: OrderRow, account: AccountToJudge, prices: PriceList): CandidateOrder {
  const { is_active: _is, licensed_states: _in, balance: _has, now: _now, ...order } = row
  const { day, day_leads, day_spent, week, week_leads, month, month_leads, month_spent, total_leads } = row
  return {
    ...order,
    account,
    prices,
    schedule: readSchedule(row.schedule),
    tally: { day, day_leads, day_spent, week, week_leads, month, month_leads, month_spent, total_leads },
  }
}

/** One that cannot be read is never open: it must not keep others from being asked. */
function readSchedule(stored: unknown): CandidateOrder['schedule'] {
  return stored === null ? null : (scheduleSchema.safeParse(stored).data ?? {})
}

function shapePrices({ price, floor, exceptions }: PriceRow): PriceList {
  const said = (exceptions ?? []).map((one) => [keyOfPrice(one.client, one.state), one.price] as const)
  return { price, floor, exceptions: new Map(said) }
}

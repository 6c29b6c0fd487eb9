import type { OrderToChoose } from '../orders/judge-order.ts'
import { refuseAll } from '../orders/judge-order.ts'
import { localMoment } from '../local-moment.ts'
import { rankOrders, type Ranking } from './rank-orders.ts'
import { addToTally, countingMoment, readTally } from '../tally.ts'

export interface BookedOrder extends OrderToChoose {
  lead_type: string
}

/** Orders for all types of leads, ranked. Orders of one client share one account object. */
export interface OrderBook<Order> {
  get: (id: string) => Order | undefined
  ofType: (leadType: string) => Order[]
  ofClient: (client: string) => Order[]
  /** Adds an order, or replaces the one with its id. */
  put: (order: Order) => void
  remove: (id: string) => void
  /** Ranks a client's orders again, because its balance has changed. */
  review: (client: string) => void
  rank: (leadType: string, at: Date) => Ranking<Order>
  /** Gives an order one more lead, and deducts it from caps and balance. */
  sell: (order: Order, price: number, at: Date) => void
  /**
   * Takes all sales back.
   * @returns the orders as they were after their last sale
   */
  takeBack: () => Order[]
}

/** Schedules open and days end at whole minutes. */
const MINUTE_MS = 60_000

export function createOrderBook<Order extends BookedOrder>(): OrderBook<Order> {
  const all = new Map<string, Order>()
  const types = new Map<string, Set<string>>()
  const clients = new Map<string, Set<string>>()
  const rankings = new Map<string, { from: number; until: number; ranking: Ranking<Order> }>()
  const before = new Map<string, { order: Order; balance: number }>()

  const listed = (ids: Set<string> | undefined): Order[] =>
    [...(ids ?? [])].flatMap((id) => all.get(id) ?? [])

  function put(order: Order): void {
    const old = all.get(order.id)
    if (old !== undefined && old.lead_type !== order.lead_type) remove(order.id)
    all.set(order.id, order)
    addTo(types, order.lead_type, order.id)
    addTo(clients, order.client_user_id, order.id)
    const kept = rankings.get(order.lead_type)
    if (kept === undefined) return
    kept.ranking.put(order)
    // An order may begin or end within the minute.
    kept.until = Math.min(kept.until, findEnd([order], kept.from))
  }

  function remove(id: string): void {
    const order = all.get(id)
    if (order === undefined) return
    all.delete(id)
    types.get(order.lead_type)?.delete(id)
    clients.get(order.client_user_id)?.delete(id)
    rankings.get(order.lead_type)?.ranking.remove(id)
  }

  function review(client: string): void {
    for (const id of clients.get(client) ?? []) {
      const order = all.get(id)
      const ranked = order && rankings.get(order.lead_type)
      if (order === undefined || ranked === undefined) continue
      const at = new Date(ranked.from)
      const here = localMoment(order.timezone, at)
      const refusal = refuseAll(order, at, here, readTally(order.tally, countingMoment(order, at)))
      if (refusal !== ranked.ranking.find(id)?.refusal) ranked.ranking.put(order)
    }
  }

  function rank(leadType: string, at: Date): Ranking<Order> {
    const time = at.getTime()
    const kept = rankings.get(leadType)
    if (kept !== undefined && kept.from <= time && time < kept.until) return kept.ranking
    const orders = listed(types.get(leadType))
    const ranking = rankOrders(orders, at)
    rankings.set(leadType, { from: time, until: findEnd(orders, time), ranking })
    return ranking
  }

  function sell(order: Order, price: number, at: Date): void {
    const { id, account, client_user_id } = order
    if (!before.has(id)) before.set(id, { order, balance: account.balance })
    const tally = addToTally(order.tally, price, countingMoment(order, at))
    account.balance -= price
    put({ ...order, tally, last_assigned_at: at })
    review(client_user_id)
  }

  function takeBack(): Order[] {
    const sold = listed(new Set(before.keys()))
    // In reverse, so that a client's balance ends as it was before its first sale.
    for (const { order, balance } of [...before.values()].toReversed()) {
      order.account.balance = balance
      put(order)
    }
    for (const client of new Set(sold.map((order) => order.client_user_id))) review(client)
    before.clear()
    return sold
  }

  return {
    get: (id) => all.get(id),
    ofType: (leadType) => listed(types.get(leadType)),
    ofClient: (client) => listed(clients.get(client)),
    put,
    remove,
    review,
    rank,
    sell,
    takeBack,
  }
}

/** The time until which no clock changes the orders' ranking. */
function findEnd(orders: readonly OrderToChoose[], time: number): number {
  let end = (Math.floor(time / MINUTE_MS) + 1) * MINUTE_MS
  for (const { starts_at, ends_at } of orders)
    for (const moment of [starts_at, ends_at])
      if (moment !== null && moment.getTime() > time) end = Math.min(end, moment.getTime())
  return end
}

function addTo(sets: Map<string, Set<string>>, key: string, id: string): void {
  const ids = sets.get(key) ?? new Set()
  ids.add(id)
  sets.set(key, ids)
}

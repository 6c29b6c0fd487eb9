import {
  readAccounts,
  readOrders,
  readPrices,
  type AccountRow,
  type OrderRow,
} from '#core/data/market/sale/candidate-orders.ts'
import { readMarketChanges, type Seen } from '#core/data/market/sale/market-changes.ts'
import type { Db } from '#core/data/database.ts'
import type { PriceList } from '#core/domain/market/find-price.ts'
import { createOrderBook, type OrderBook } from '#core/domain/market/choice/order-book.ts'
import type { AccountToJudge } from '#core/domain/market/orders/judge-order.ts'
import { NO_PRICES, shapeOrder, shapePrices, type CandidateOrder } from './shape-order.ts'

/** Keeps the orders of all types in memory, so that a batch of leads reads only the changes. */
export interface OrderCache {
  orders: OrderBook<CandidateOrder>
  /**
   * Reads everything committed since the last time. Concurrent calls of this process share what they read.
   * @param db a transaction. On separate connections orders could be read before the snapshot, and changes between the
   * two would be missed until the next change
   * @returns the moment by the database's clock, and the snapshot
   */
  refresh: (db: Db) => Promise<{ at: Date; seen: Seen }>
}

/** Changes are kept longer than this (worker/housekeeping/retention/remove-old-rows.ts). */
const KEPT_MS = 3_600_000

export function createOrderCache(): OrderCache {
  const orders = createOrderBook<CandidateOrder>()
  const accounts = new Map<string, AccountToJudge>()
  const prices = new Map<string, PriceList>()
  let seen: Seen | undefined
  let readAt = -Infinity

  /**
   * @returns undefined if another call has read meanwhile: this result may be older. No call waits for another's
   * reading.
   */
  async function read(db: Db): Promise<{ at: Date; seen: Seen } | undefined> {
    const since = seen
    const isNew = performance.now() - readAt > KEPT_MS
    // Orders are read after the snapshot, on the same connection, so they are never older than it.
    const [{ at, ...changes }, rows] = await Promise.all([
      readMarketChanges(db, isNew ? undefined : since),
      readOrders(db, isNew ? undefined : since),
    ])
    const { lead_types: types, orders: changed, clients, snapshot, own } = changes
    // The accounts of these clients were read together with the orders.
    const came = new Set(rows.map((row) => row.client_user_id))
    const others = clients.filter((client) => accounts.has(client) && !came.has(client))
    const [priceRows, otherRows] = await Promise.all([
      isNew || types.length > 0 ? readPrices(db, isNew ? undefined : types) : [],
      others.length > 0 ? readAccounts(db, others) : [],
    ])
    if (seen !== since) return undefined

    if (isNew) for (const id of listAll()) orders.remove(id)
    for (const row of priceRows) takePrices(row.code, shapePrices(row))
    for (const row of [...rows, ...otherRows]) takeAccount(row)
    const there = new Set(rows.map(({ id }) => id))
    for (const id of changed) if (!there.has(id)) orders.remove(id)
    for (const row of rows) takeOrder(row)
    seen = { snapshot, own }
    readAt = performance.now()
    return { at, seen }
  }

  function listAll(): string[] {
    return [...prices.keys()].flatMap((type) => orders.ofType(type).map(({ id }) => id))
  }

  function takePrices(type: string, list: PriceList): void {
    prices.set(type, list)
    for (const order of orders.ofType(type)) orders.put({ ...order, prices: list })
  }

  function takeAccount(row: AccountRow): void {
    const { client_user_id: client, balance, licensed_states, is_active } = row
    const account = accounts.get(client)
    if (account === undefined) {
      accounts.set(client, { balance, licensed_states, is_active })
      return
    }
    const isOther =
      account.is_active !== is_active || account.licensed_states.join() !== licensed_states.join()
    const isRicher = account.balance !== balance
    if (!isOther && !isRicher) return
    Object.assign(account, { balance, licensed_states, is_active })
    if (isOther) for (const order of orders.ofClient(client)) orders.put(order)
    else orders.review(client)
  }

  function takeOrder(row: OrderRow): void {
    const account = accounts.get(row.client_user_id)
    if (account !== undefined) orders.put(shapeOrder(row, account, prices.get(row.lead_type) ?? NO_PRICES))
  }

  return {
    orders,
    refresh: async (db) => {
      for (;;) {
        const done = await read(db)
        if (done !== undefined) return done
      }
    },
  }
}

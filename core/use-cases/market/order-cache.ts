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
import type { AccountToJudge } from '#core/domain/market/judge-order.ts'
import { NO_PRICES, shapeOrder, shapePrices, type CandidateOrder } from './shape-order.ts'

/** The orders of all types, kept in memory, so that a batch of leads reads only the changes. */
export interface OrderCache {
  orders: OrderBook<CandidateOrder>
  /**
   * Reads everything committed since the last time. Concurrent calls of this process share what they read.
   * @param db a transaction: on connections of their own orders may be read before the look, and what comes between would be missed for
   *   as long as nothing else changes it
   * @returns the moment by the database's clock, and what could be seen then
   */
  refresh: (db: Db) => Promise<{ at: Date; seen: Seen }>
}

/** Changes are noted for longer (worker/housekeeping/retention/remove-old-rows.ts). */
const KEPT_MS = 3_600_000

export function createOrderCache(): OrderCache {
  const orders = createOrderBook<CandidateOrder>()
  const accounts = new Map<string, AccountToJudge>()
  const prices = new Map<string, PriceList>()
  let seen: Seen | undefined
  let readAt = -Infinity

  /** @returns undefined where somebody else has read meanwhile: what was read here may be older. Nobody waits for another's reading. */
  async function read(db: Db): Promise<{ at: Date; seen: Seen } | undefined> {
    const since = seen
    const isNew = performance.now() - readAt > KEPT_MS
    // Orders are read behind the look, on the same connection: they are never older than it.
    const [{ at, ...changes }, rows] = await Promise.all([
      readMarketChanges(db, isNew ? undefined : since),
      readOrders(db, isNew ? undefined : since),
    ])
    const { lead_types: types, orders: changed, clients, snapshot, own } = changes
    // With their orders came their accounts.
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

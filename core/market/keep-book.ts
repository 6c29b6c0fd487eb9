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
import { NO_PRICES, shapeOrder, shapePrices, type Account, type CandidateOrder } from './shape-order.ts'

/** The orders of all types as a process keeps them in mind, so that a batch reads only what has changed. */
export interface KeptBook {
  orders: OrderBook<CandidateOrder>
  /**
   * Reads what was committed since the last time. What others read meanwhile for this process is there too.
   * @returns the moment by the database's clock, and the reading, which is newer than whatever was read before
   */
  refresh: (db: Db) => Promise<{ at: Date; reading: number }>
}

/** Changes are noted for longer (worker/housekeeping/retention/remove-old-rows.ts). */
const KEPT_MS = 3_600_000

export function keepBook(): KeptBook {
  const orders = createOrderBook<CandidateOrder>()
  const accounts = new Map<string, Account>()
  const prices = new Map<string, PriceList>()
  let seen: Seen | undefined
  let readAt = -Infinity
  let reading = 0
  let last: Promise<unknown> = Promise.resolve()

  async function read(db: Db): Promise<{ at: Date; reading: number }> {
    const isNew = performance.now() - readAt > KEPT_MS
    const changes = await readMarketChanges(db, isNew ? undefined : seen)
    const { lead_types: types, orders: changed, clients } = changes
    const only = isNew ? undefined : changed
    const priceRows = isNew || types.length > 0 ? await readPrices(db, isNew ? undefined : types) : []
    const rows = isNew || changed.length > 0 ? await readOrders(db, only) : []
    const known = new Set(rows.map((row) => row.client_user_id))
    const others = clients.filter((client) => accounts.has(client) && !known.has(client))
    const accountRows = others.length > 0 ? await readAccounts(db, others) : []

    // From here on nobody else comes between.
    reading += 1
    if (isNew) for (const id of listAll()) orders.remove(id)
    for (const row of priceRows) takePrices(row.code, shapePrices(row))
    for (const row of [...rows, ...accountRows]) takeAccount(row)
    const there = new Set(rows.map(({ id }) => id))
    for (const id of changed) if (!there.has(id)) orders.remove(id)
    for (const row of rows) takeOrder(row)
    seen = { snapshot: changes.snapshot, own: changes.own }
    readAt = performance.now()
    return { at: changes.at, reading }
  }

  function listAll(): string[] {
    return [...prices.keys()].flatMap((type) => orders.ofType(type).map(({ id }) => id))
  }

  function takePrices(type: string, list: PriceList): void {
    prices.set(type, list)
    for (const order of orders.ofType(type)) orders.put({ ...order, prices: list, reading })
  }

  function takeAccount(row: AccountRow): void {
    const { client_user_id: client, balance, licensed_states, is_active } = row
    const account = accounts.get(client)
    if (account === undefined) {
      accounts.set(client, { balance, licensed_states, is_active, reading })
      return
    }
    const isOther =
      account.is_active !== is_active || account.licensed_states.join() !== licensed_states.join()
    const isRicher = account.balance !== balance
    if (!isOther && !isRicher) return
    Object.assign(account, { balance, licensed_states, is_active, reading })
    if (isOther) for (const order of orders.ofClient(client)) orders.put(order)
    else orders.review(client)
  }

  function takeOrder(row: OrderRow): void {
    const account = accounts.get(row.client_user_id)
    if (account !== undefined)
      orders.put(shapeOrder(row, account, prices.get(row.lead_type) ?? NO_PRICES, reading))
  }

  return {
    orders,
    // One after the other: what is read later is newer.
    refresh: (db) => {
      const next = last.then(() => read(db))
      last = next.catch(() => undefined)
      return next
    },
  }
}

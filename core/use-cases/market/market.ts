import type { Db } from '#core/data/database.ts'
import type { Transact } from '#core/data/pipelined-transaction.ts'
import type { SaleWindows } from '#core/domain/market/choice/decide-leads.ts'
import type { OrderCache } from './order-cache.ts'

/** Everything that the market needs beside its leads. */
export interface Market {
  db: Db
  /** the transactions in which leads are sold */
  transact: Transact
  /** the key of the suppression list's hashes */
  suppressionKey: Buffer
  orderCache: OrderCache
  /** hours for which an unsold lead is offered again (LEAD_HOLD_HOURS) */
  holdHours: number
  /** LEAD_DUPLICATE_DAYS, LEAD_RESALE_DAYS */
  windows: SaleWindows
}

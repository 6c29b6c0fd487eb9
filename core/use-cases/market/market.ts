import type { Db } from '#core/data/database.ts'
import type { Transact } from '#core/data/pipelined-transaction.ts'
import type { SaleWindows } from '#core/domain/market/choice/decide-leads.ts'
import type { OrderCache } from './order-cache.ts'

/** Everything the market needs beside its leads. */
export interface Market {
  db: Db
  /** by which leads are sold */
  transact: Transact
  /** of the suppression list */
  suppressionKey: Buffer
  orderCache: OrderCache
  /** for so long a lead that nobody wanted is offered again (LEAD_HOLD_HOURS) */
  holdHours: number
  /** LEAD_DUPLICATE_DAYS, LEAD_RESALE_DAYS */
  windows: SaleWindows
}

import type { Db } from '#core/data/database.ts'
import type { Transact } from '#core/data/pipelined-transaction.ts'
import type { SaleWindows } from '#core/domain/market/choice/decide-leads.ts'
import type { PurposeKeys } from '../../secrets/derived-keys.ts'
import type { OrderCache } from './order-cache.ts'

/** Everything that the market needs beside its leads. */
export interface Market {
  db: Db
  /** the transactions in which leads are sold */
  transact: Transact
  /** the keys of the suppression list's hashes */
  suppressionKeys: PurposeKeys
  orderCache: OrderCache
  /** hours for which an unsold lead is offered again, as the settings say now (sale-rules.ts) */
  readonly holdHours: number
  readonly windows: SaleWindows
  /** reads the rules of selling now */
  refreshRules: () => Promise<void>
}

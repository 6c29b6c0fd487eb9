import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** What happened in one hour with the leads of one source (docs/product.md §2, Figures). Money is dollars as text. */
export interface MarketHour {
  /** when the hour began */
  hour: Date
  /** null for leads whose source is gone */
  source_id: string | null
  /** leads for sale that came in, and those of them that nobody has, or that were duplicates */
  leads_in: number
  unsold: number
  duplicates: number
  cost: string
  /** sales, whenever the leads came in */
  sold: number
  sales: string
  /** sales taken back, whenever they were made */
  returned: number
  credits: string
}

/**
 * Ids are given in the order in which rows come, by clocks that differ by less than this. So the primary key finds the
 * rows of a time.
 */
const SKEW = '1 hour'

/** SQL: ids that rows of this time may have. */
const within = (column: string, begins: Date, ends: Date) => sql`
  ${sql.ref(column)} >= uuid_at(${begins}::timestamptz - interval ${sql.lit(SKEW)})
  and ${sql.ref(column)} < uuid_at(${ends}::timestamptz + interval ${sql.lit(SKEW)})`

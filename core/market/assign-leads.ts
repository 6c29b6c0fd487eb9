import {
  decideLeads,
  type Decision,
  type OfferedLead,
  type SaleWindows,
} from '#core/domain/market/choice/decide-leads.ts'
import { failpoint } from '#core/failpoints.ts'
import type { Db } from '#core/data/database.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { lockCandidates, unlockCandidates } from '#core/data/market/sale/candidate-orders.ts'
import { lockLeadTypes } from '#core/data/market/sale/offered-leads.ts'
import {
  markOffersTaken,
  recordDecisions,
  recordSales,
  type Sale,
} from '#core/data/market/sale/record-decisions.ts'
import type { KeptBook } from './keep-book.ts'
import { lockOffered } from './lock-offered.ts'
import type { CandidateOrder } from './shape-order.ts'

/** What the market needs beside its leads. */
export interface Market {
  db: Db
  /** of the suppression list */
  suppressionKey: Buffer
  book: KeptBook
  /** for so long a lead that nobody wanted is offered again (LEAD_HOLD_HOURS) */
  holdHours: number
  /** LEAD_DUPLICATE_DAYS, LEAD_RESALE_DAYS */
  windows: SaleWindows
}

/** Leads that are decided together. */
export const MOST_LEADS = 200
/** An order or a balance may change between being read and being locked; so often it is begun anew. */
const MOST_TRIES = 5

/**
 * Decides who gets these leads, and writes all of it, in one transaction (docs/product.md §10): the one way of every lead that is to be
 * sold. What is not to be sold any more, because somebody has it, say, is left as it is. Safe to run twice, and beside itself.
 * @param leadIds at most {@link MOST_LEADS}
 * @returns what was sold
 */
export async function assignLeads(market: Market, leadIds: readonly string[]): Promise<Sale[]> {
  return await repeatOnConflict(() => market.db.transaction().execute((trx) => assign(trx, market, leadIds)))
}

async function assign(trx: Db, market: Market, leadIds: readonly string[]): Promise<Sale[]> {
  const types = await lockLeadTypes(trx, leadIds)
  const leads = await lockOffered(trx, leadIds, types, market)
  let sales: Sale[] = []
  if (leads.length > 0) {
    const { decisions, sold } = await decideAndLock(trx, market, leads)
    sales = await recordSales(trx, decisions, sold)
    await recordDecisions(trx, decisions, market.holdHours)
  }
  await markOffersTaken(trx, leadIds)
  await failpoint('before-assign')
  return sales
}

interface Decided {
  decisions: Decision<CandidateOrder>[]
  sold: CandidateOrder[]
}

/**
 * Decides by what is read, locks what is to be sold to, and looks whether any of that has changed meanwhile. Not all is locked from the
 * start: that would be every order of the type, for each lead.
 */
async function decideAndLock(
  trx: Db,
  { book, windows }: Market,
  leads: readonly OfferedLead[],
): Promise<Decided> {
  let read = await book.refresh(trx)
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const first = decideLeads(leads, book.orders, { at: read.at, windows })
    const { reading } = read
    if (first.sold.length === 0) return first
    const locked = new Set(first.sold.map(({ id }) => id))
    await lockCandidates(trx, [...locked])
    read = await book.refresh(trx)
    if (first.sold.every(({ id }) => isAsOf(book.orders.get(id), reading))) return first
    const again = decideLeads(leads, book.orders, { at: read.at, windows })
    if (again.sold.every(({ id }) => locked.has(id))) return again
    await unlockCandidates(trx)
  }
  throw new Error(`orders changed ${MOST_TRIES} times while leads were given to them`)
}

/** Whether neither the order nor its client has changed since that reading. */
function isAsOf(order: CandidateOrder | undefined, reading: number): boolean {
  return order !== undefined && order.reading <= reading && order.account.reading <= reading
}

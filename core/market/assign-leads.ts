import {
  decideLeads,
  type Decision,
  type OfferedLead,
  type SaleWindows,
} from '#core/domain/market/choice/decide-leads.ts'
import { failpoint } from '#core/failpoints.ts'
import type { Db } from '#core/data/database.ts'
import type { Transact } from '#core/data/pipelined-transaction.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { lockCandidates, unlockCandidates } from '#core/data/market/sale/candidate-orders.ts'
import { readMarketChanges, type MarketChanges, type Seen } from '#core/data/market/sale/market-changes.ts'
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
  /** by which leads are sold */
  transact: Transact
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
/**
 * An order or a balance may change between being read and being locked; so often it is begun anew. From the second time on whatever was
 * chosen before is locked as well, from the third on every order there is: then only new ones can come between.
 */
const MOST_TRIES = 5
const LOCK_ALL_FROM = 3

/**
 * Decides who gets these leads, and writes all of it, in one transaction (docs/product.md §10): the one way of every lead that is to be
 * sold. What is not to be sold any more, because somebody has it, say, is left as it is. Safe to run twice, and beside itself.
 * @param leadIds at most {@link MOST_LEADS}
 * @returns what was sold
 */
export async function assignLeads(market: Market, leadIds: readonly string[]): Promise<Sale[]> {
  return await repeatOnConflict(() => market.transact((trx) => assign(trx, market, leadIds)))
}

/** What is asked for together goes to PostgreSQL together, and is done there in this order. */
async function assign(trx: Db, market: Market, leadIds: readonly string[]): Promise<Sale[]> {
  const types = await lockLeadTypes(trx, leadIds)
  const [leads, read] = await Promise.all([
    lockOffered(trx, leadIds, types, market),
    market.book.refresh(trx),
  ])
  if (leads.length === 0) {
    await markOffersTaken(trx, leadIds)
    return []
  }
  const { decisions, sold } = await decideAndLock(trx, market, leads, read)
  const [sales] = await Promise.all([
    recordSales(trx, decisions, sold),
    recordDecisions(trx, decisions, market.holdHours),
    markOffersTaken(trx, leadIds),
  ])
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
  read: { at: Date; seen: Seen },
): Promise<Decided> {
  let { at, seen } = read
  const locked = new Set<string>()
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const first = decideLeads(leads, book.orders, { at, windows })
    if (first.sold.length === 0) return first
    for (const { id } of tries < LOCK_ALL_FROM ? first.sold : listAll(book, leads)) locked.add(id)
    const [, changes] = await Promise.all([lockCandidates(trx, [...locked]), readMarketChanges(trx, seen)])
    if (!concerns(changes, first.sold)) return first
    ;({ at, seen } = await book.refresh(trx))
    const again = decideLeads(leads, book.orders, { at, windows })
    if (again.sold.every(({ id }) => locked.has(id))) return again
    await unlockCandidates(trx)
  }
  throw new Error(`orders changed ${MOST_TRIES} times while leads were given to them`)
}

/** The orders for leads of these types. */
function listAll(book: KeptBook, leads: readonly OfferedLead[]): CandidateOrder[] {
  return [...new Set(leads.map((lead) => lead.lead_type))].flatMap((type) => book.orders.ofType(type))
}

/** Whether one of these orders, its client or a price has changed. */
function concerns({ orders, clients, lead_types }: MarketChanges, sold: readonly CandidateOrder[]): boolean {
  const [changed, whose] = [new Set(orders), new Set(clients)]
  return (
    lead_types.length > 0 || sold.some((order) => changed.has(order.id) || whose.has(order.client_user_id))
  )
}

import {
  decideLeads,
  type Decision,
  type OfferedLead,
  type SaleWindows,
} from '#core/domain/market/choice/decide-leads.ts'
import { failpoint } from '#core/failpoints.ts'
import type { Db } from '#core/data/database.ts'
import { findOffers, type OfferEvent } from '#core/data/outbox/events.ts'
import type { Transact } from '#core/data/pipelined-transaction.ts'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import {
  beginWriting,
  lockCandidates,
  lockFreeCandidates,
  takeBackWriting,
  unlockCandidates,
} from '#core/data/market/sale/candidate-orders.ts'
import { readMarketChanges, type MarketChanges, type Seen } from '#core/data/market/sale/market-changes.ts'
import { lockLeadTypes, type Offers, type SuppressedLead } from '#core/data/market/sale/offered-leads.ts'
import {
  markOffersTaken,
  recordDecisions,
  recordSales,
  type Sale,
} from '#core/data/market/sale/record-decisions.ts'
import { endHoldsOf, offerTypeAt } from '#core/data/market/sale/unsold-leads.ts'
import type { OrderCache } from './order-cache.ts'
import { findSuppressedLeads, lockOffered } from './lock-offered.ts'
import type { CandidateOrder } from './shape-order.ts'

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

/** Leads that are decided together. */
export const MOST_LEADS = 200
/**
 * An order or a balance may change between being read and being locked; so often it is begun anew. From the second time on whatever was
 * chosen before is locked as well, from the third on every order there is: then only new ones can come between.
 */
const MOST_TRIES = 5
const LOCK_ALL_FROM = 3
/** Leads that nobody wanted while an order was passed over are offered again after this. */
const PASSED_OVER_MS = 10_000

/**
 * Sells these leads by hand, by the same rules as {@link assignOffers}, but that one which was never offered has no hold that could end.
 * @param leadIds at most {@link MOST_LEADS}
 * @param note writes what else is to be known of what was sold, in the same transaction
 * @returns what was sold
 */
export async function assignLeads(
  market: Market,
  leadIds: readonly string[],
  note?: NoteSales,
): Promise<Sale[]> {
  return (await assignOffers(market, { leads: leadIds, events: [], isByHand: true }, note)).sales
}

/**
 * Decides who gets these leads, and writes all of it, in one transaction (docs/product.md §10). Every lead that is sold comes this way. A
 * lead that is not for sale any more, because somebody has it, for example, stays as it is; a lead whose hold is over expires. Safe to run
 * twice, and beside itself. An order that is locked for long is passed over, so that one client delays nobody else.
 * @param offers at most {@link MOST_LEADS} in all
 * @returns the sales, and their events if there are any
 */
export async function assignOffers(market: Market, offers: Offers, note?: NoteSales): Promise<Assigned> {
  return await repeatOnConflict(async () => {
    const early: EarlyWriting = { isTried: true, isInVain: false }
    try {
      return await market.transact((trx) => assign(trx, market, offers, { early, isPatient: true, note }))
    } catch (error) {
      const isPatient = !isLockTimeout(error)
      if (isPatient && !early.isInVain) throw error
      const manner: Manner = { early: { isTried: false, isInVain: false }, isPatient, note }
      return await market.transact((trx) => assign(trx, market, offers, manner))
    }
  })
}

type NoteSales = (trx: Db, sales: readonly Sale[]) => Promise<void>

interface Assigned {
  sales: Sale[]
  offers: OfferEvent[]
}

/**
 * Decisions are written before it is known whether they still hold, which saves a round trip and nearly always succeeds. Otherwise they
 * are taken back.
 */
interface EarlyWriting {
  isTried: boolean
  /** PostgreSQL refused what did not hold, and with it the transaction. */
  isInVain: boolean
}

interface Manner {
  early: EarlyWriting
  /** else orders that somebody holds are decided without */
  isPatient: boolean
  note: NoteSales | undefined
}

/** Statements that are called together go to PostgreSQL together, and run there in this order. */
async function assign(trx: Db, market: Market, offers: Offers, manner: Manner): Promise<Assigned> {
  const [found, types, offered, read] = await Promise.all([
    offers.events.length === 0 ? [] : findOffers(trx, offers.events),
    lockLeadTypes(trx, offers),
    lockOffered(trx, offers, market),
    market.orderCache.refresh(trx),
  ])
  const leadIds = [...new Set([...offers.leads, ...found.map((event) => event.lead_id)])]
  // One that became of another type meanwhile is offered anew.
  const leads = offered.leads.filter((lead) => types.includes(lead.lead_type))
  if (offered.over.length > 0) await endHoldsOf(trx, offered.over)
  if (leads.length === 0) {
    await markOffersTaken(trx, leadIds, [])
    return { sales: [], offers: found }
  }
  const sales = await sell(trx, market, { leadIds, leads, read, ...manner })
  await manner.note?.(trx, sales)
  await failpoint('before-assign')
  return { sales, offers: found }
}

interface ToSell extends Manner {
  /** all that were offered, and of them those for sale */
  leadIds: readonly string[]
  leads: readonly OfferedLead[]
  /** what the order cache was read at */
  read: { at: Date; seen: Seen }
}

/**
 * Decides by what is read, locks what is to be sold to, and looks whether any of that has changed meanwhile. Not all is locked from the
 * start: that would be every order of the type, for each lead. The suppression list is asked with that look.
 */
async function sell(
  trx: Db,
  market: Market,
  { leadIds, leads, read, early, isPatient }: ToSell,
): Promise<Sale[]> {
  const { orderCache, windows } = market
  const passedOver = new Set<string>()
  const decide = (of: readonly OfferedLead[], at: Date) =>
    decideLeads(of, orderCache.orders, { at, windows, aside: passedOver })
  const write = async (decided: Decided): Promise<Sale[]> => {
    const sales = await writeDecided(trx, leadIds, leads, decided, market.holdHours)
    if (passedOver.size > 0) await offerAgainSoon(trx, decided, at)
    return sales
  }
  let known = leads
  let { at, seen } = read
  let isAsked = false
  const locked = new Set<string>()
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const first = decide(known, at)
    for (const { id } of tries < LOCK_ALL_FROM ? first.sold : listAll(orderCache, leads)) locked.add(id)
    const looking = Promise.all([
      isPatient ? lockCandidates(trx, [...locked]) : lockFreeCandidates(trx, [...locked]),
      readMarketChanges(trx, seen),
      isAsked ? NOT_ASKED : findSuppressedLeads(trx, leads, market.suppressionKey),
      beginWriting(trx),
    ])
    const written = tries === 1 && early.isTried ? write(first) : undefined
    // It fails where the look fails, or is judged below.
    written?.catch(() => undefined)
    const [held, changes, suppressed] = await looking
    isAsked = true
    for (const id of held ?? []) passedOver.add(id)
    const isChanged = concerns(changes, first.sold)
    const isOther = isChanged || suppressed.size > 0 || first.sold.some(({ id }) => passedOver.has(id))
    if (!isOther) return await (written ?? write(first))
    if (written !== undefined) {
      early.isInVain = true
      await written
      early.isInVain = false
      await takeBackWriting(trx)
    }
    known = known.map((lead) => suppress(lead, suppressed.get(lead.id)))
    if (isChanged) ({ at, seen } = await orderCache.refresh(trx))
    const again = decide(known, at)
    if (again.sold.every(({ id }) => locked.has(id))) return await write(again)
    await unlockCandidates(trx)
  }
  throw new Error(`orders changed ${MOST_TRIES} times while leads were given to them`)
}

const NOT_ASKED: ReadonlyMap<string, SuppressedLead> = new Map()

function suppress(lead: OfferedLead, found: SuppressedLead | undefined): OfferedLead {
  return found === undefined ? lead : { ...lead, is_suppressed: found.is_for_all, kept_from: found.clients }
}

interface Decided {
  decisions: Decision<CandidateOrder>[]
  /** the orders that get leads, as they stand after it */
  sold: CandidateOrder[]
}

async function writeDecided(
  trx: Db,
  leadIds: readonly string[],
  leads: readonly OfferedLead[],
  { decisions, sold }: Decided,
  holdHours: number,
): Promise<Sale[]> {
  const ids = leads.map(({ id }) => id)
  const [sales] = await Promise.all([
    recordSales(trx, decisions, sold),
    recordDecisions(trx, decisions, holdHours),
    markOffersTaken(trx, leadIds, ids),
  ])
  return sales
}

/** Offers leads again that a passed-over order might have taken, type by type in one order. */
async function offerAgainSoon(trx: Db, { decisions }: Decided, at: Date): Promise<void> {
  const unsold = decisions.flatMap(({ lead, outcome }) => (outcome === 'no_buyer' ? lead.lead_type : []))
  const soon = new Date(at.getTime() + PASSED_OVER_MS)
  for (const type of [...new Set(unsold)].toSorted()) await offerTypeAt(trx, type, soon)
}

/** The orders for leads of these types. */
function listAll(orderCache: OrderCache, leads: readonly OfferedLead[]): CandidateOrder[] {
  return [...new Set(leads.map((lead) => lead.lead_type))].flatMap((type) => orderCache.orders.ofType(type))
}

/** Whether one of these orders, its client or a price has changed. */
function concerns({ orders, clients, lead_types }: MarketChanges, sold: readonly CandidateOrder[]): boolean {
  const [changed, whose] = [new Set(orders), new Set(clients)]
  return (
    lead_types.length > 0 || sold.some((order) => changed.has(order.id) || whose.has(order.client_user_id))
  )
}

import type { Db } from '#core/data/database.ts'
import {
  beginWriting,
  lockCandidates,
  lockFreeCandidates,
  takeBackWriting,
  unlockCandidates,
} from '#core/data/market/sale/candidate-orders.ts'
import { readMarketChanges, type MarketChanges, type Seen } from '#core/data/market/sale/market-changes.ts'
import type { SuppressedLead } from '#core/data/market/sale/offered-leads.ts'
import {
  markOffersTaken,
  recordDecisions,
  recordSales,
  type Sale,
} from '#core/data/market/sale/record-decisions.ts'
import { offerTypeAt } from '#core/data/market/sale/unsold-leads.ts'
import { decideLeads, type Decision, type OfferedLead } from '#core/domain/market/choice/decide-leads.ts'
import { findSuppressedLeads } from './lock-offered.ts'
import type { Market } from './market.ts'
import type { OrderCache } from './order-cache.ts'
import type { CandidateOrder } from './shape-order.ts'

/**
 * An order or a balance may change between the decision and its locks. The decision is then made again, at most this
 * often. From the second time on, the orders chosen before are locked too. From the third time on, all existing orders
 * are locked, so that only new orders can interfere.
 */
const MOST_TRIES = 5
const LOCK_ALL_FROM = 3
/** Unsold leads for which an order was passed over are offered again after this. */
const PASSED_OVER_MS = 10_000

/** The way in which a transaction sells leads. */
export interface SellingAttempt {
  /** The transaction waits for locked orders; otherwise it decides without them. */
  isPatient: boolean
  /**
   * The transaction writes its first decision before it knows whether the decision still holds. That saves a round trip
   * and nearly always succeeds.
   */
  writesEarly: boolean
  /**
   * {@link sellLeads} sets this when PostgreSQL refused an early decision that no longer held, and aborted the
   * transaction.
   */
  isEarlyRefused: boolean
}

interface LeadsToSell {
  /** all offered leads */
  leadIds: readonly string[]
  /** those of them that are for sale */
  leads: readonly OfferedLead[]
  /** when the order cache was read, and the snapshot of that time */
  read: { at: Date; seen: Seen }
  /** the only order that may get them; all orders if left out */
  only?: string
}

interface Decided {
  decisions: Decision<CandidateOrder>[]
  /** the orders that get leads, as they are after the sale */
  sold: CandidateOrder[]
}

/**
 * Decides by the order cache, locks the chosen orders, and checks that nothing has changed meanwhile. If every order of
 * the type were locked from the start, each lead would wait for all others.
 */
export async function sellLeads(
  trx: Db,
  market: Market,
  { leadIds, leads, read, only }: LeadsToSell,
  attempt: SellingAttempt,
): Promise<Sale[]> {
  const { orderCache, windows, holdHours } = market
  const locked = new Set<string>()
  const passedOver = new Set<string>()
  let known = leads
  let { at, seen } = read
  const decide = (): Decided => {
    const others = only === undefined ? [] : listAll(orderCache, leads).filter(({ id }) => id !== only)
    const aside = new Set([...passedOver, ...others.map(({ id }) => id)])
    return decideLeads(known, orderCache.orders, { at, windows, aside })
  }
  const write = async (decided: Decided): Promise<Sale[]> => {
    const sales = await writeDecided(trx, leadIds, leads, decided, holdHours)
    if (passedOver.size > 0) await offerAgainSoon(trx, decided, at)
    return sales
  }
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const isFirst = tries === 1
    const chosen = decide()
    for (const { id } of tries < LOCK_ALL_FROM ? chosen.sold : listAll(orderCache, leads)) locked.add(id)

    const checking = Promise.all([
      attempt.isPatient ? lockCandidates(trx, [...locked]) : lockFreeCandidates(trx, [...locked]),
      readMarketChanges(trx, seen),
      isFirst ? findSuppressedLeads(trx, leads, market.suppressionKeys) : NOTHING_NEW,
      beginWriting(trx),
    ])
    const early = isFirst && attempt.writesEarly ? write(chosen) : undefined
    // If the check fails, nobody awaits this; otherwise it is awaited below.
    early?.catch(() => undefined)
    const [held, changes, suppressed] = await checking

    for (const id of held ?? []) passedOver.add(id)
    const isChanged = concerns(changes, chosen.sold)
    const isOutdated = isChanged || suppressed.size > 0 || chosen.sold.some(({ id }) => passedOver.has(id))
    if (!isOutdated) return await (early ?? write(chosen))

    if (early !== undefined) await takeBack(trx, early, attempt)
    known = known.map((lead) => suppress(lead, suppressed.get(lead.id)))
    if (isChanged) ({ at, seen } = await orderCache.refresh(trx))
    const again = decide()
    if (again.sold.every(({ id }) => locked.has(id))) return await write(again)
    await unlockCandidates(trx)
  }
  throw new Error(`orders changed ${MOST_TRIES} times while leads were given to them`)
}

/** Only the first try reads the suppression list; later tries find the result in the known leads. */
const NOTHING_NEW: ReadonlyMap<string, SuppressedLead> = new Map()

function suppress(lead: OfferedLead, found: SuppressedLead | undefined): OfferedLead {
  return found === undefined ? lead : { ...lead, is_suppressed: found.is_for_all, kept_from: found.clients }
}

/**
 * Takes an early decision back and keeps the locks. If PostgreSQL refused the decision, the transaction is aborted, and
 * the attempt is marked so.
 */
async function takeBack(trx: Db, early: Promise<unknown>, attempt: SellingAttempt): Promise<void> {
  attempt.isEarlyRefused = true
  await early
  attempt.isEarlyRefused = false
  await takeBackWriting(trx)
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

/** Offers leads again that a passed-over order might have taken, type by type in one fixed order. */
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

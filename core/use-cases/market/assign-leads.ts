import type { Db } from '#core/data/database.ts'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import { lockLeadTypes, type Offers } from '#core/data/market/sale/offered-leads.ts'
import { markOffersTaken, type Sale } from '#core/data/market/sale/record-decisions.ts'
import { endHoldsOf } from '#core/data/market/sale/unsold-leads.ts'
import { findOffers, type OfferEvent } from '#core/data/outbox/events.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { failpoint } from '#core/failpoints.ts'
import { lockOffered } from './lock-offered.ts'
import type { Market } from './market.ts'
import { sellLeads, type SellingAttempt } from './sell-leads.ts'

/** Limit of leads that are decided together. */
export const MOST_LEADS = 200

/**
 * Sells these leads by hand, by the same rules as {@link assignOffers}, except that a lead that was never offered has
 * no hold that could end.
 * @param leadIds at most {@link MOST_LEADS}
 * @param note writes further facts about the sold leads, in the same transaction
 * @returns the sales
 */
export async function assignLeads(
  market: Market,
  leadIds: readonly string[],
  note?: NoteSales,
): Promise<Sale[]> {
  return (await assignOffers(market, { leads: leadIds, events: [], isByHand: true }, note)).sales
}

/**
 * Decides who gets these leads, and writes all of it, in one transaction (docs/product.md §10). Every sold lead passes
 * here. A lead that is no longer for sale, for example because it has an active assignment, stays as it is; a lead
 * whose hold is over expires. Safe to run twice, also at the same time. An order that stays locked is passed over, so
 * that one client does not delay the others.
 * @param offers at most {@link MOST_LEADS} in all
 * @returns the sales, and their events if there are any
 */
export async function assignOffers(market: Market, offers: Offers, note?: NoteSales): Promise<Assigned> {
  const run = async (attempt: SellingAttempt): Promise<Assigned> =>
    await market.transact((trx) => assign(trx, market, offers, attempt, note))
  return await repeatOnConflict(async () => {
    const first: SellingAttempt = { isPatient: true, writesEarly: true, isEarlyRefused: false }
    try {
      return await run(first)
    } catch (error) {
      const isPatient = !isLockTimeout(error)
      if (isPatient && !first.isEarlyRefused) throw error
      return await run({ isPatient, writesEarly: false, isEarlyRefused: false })
    }
  })
}

type NoteSales = (trx: Db, sales: readonly Sale[]) => Promise<void>

interface Assigned {
  sales: Sale[]
  offers: OfferEvent[]
}

/** Statements that are called together are sent to PostgreSQL together, and run there in this order. */
async function assign(
  trx: Db,
  market: Market,
  offers: Offers,
  attempt: SellingAttempt,
  note: NoteSales | undefined,
): Promise<Assigned> {
  const [found, types, offered, read] = await Promise.all([
    offers.events.length === 0 ? [] : findOffers(trx, offers.events),
    lockLeadTypes(trx, offers),
    lockOffered(trx, offers, market),
    market.orderCache.refresh(trx),
  ])
  const leadIds = [...new Set([...offers.leads, ...found.map((event) => event.lead_id)])]
  // A lead whose type changed meanwhile is offered again.
  const leads = offered.leads.filter((lead) => types.includes(lead.lead_type))
  if (offered.over.length > 0) await endHoldsOf(trx, offered.over)
  if (leads.length === 0) {
    await markOffersTaken(trx, leadIds, [])
    return { sales: [], offers: found }
  }
  const sales = await sellLeads(trx, market, { leadIds, leads, read }, attempt)
  await note?.(trx, sales)
  await failpoint('before-assign')
  return { sales, offers: found }
}

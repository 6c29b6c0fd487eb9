import { noteMarketRuns } from '#core/data/market/sale/market-absences.ts'
import {
  claimDueTypes,
  endHolds,
  listUnsold,
  mayGoOn,
  noteAllOffered,
  offerTypeAt,
  type Round,
  type UnsoldLead,
} from '#core/data/market/sale/unsold-leads.ts'
import { findNextChance } from '#core/domain/market/orders/find-next-chance.ts'
import { MOST_LEADS } from '#core/use-cases/market/assign-leads.ts'
import type { WorkerContext } from '#worker/context.ts'
import type { Assign } from '#worker/pipeline/0-assign-leads.ts'

/** Unsold leads are offered again at least this often. */
const AGAIN_SECONDS = 300

/**
 * Offers unsold leads again, newest first: when a client may take more
 * (migrations/20261123004310-offer-leads-again.ts), when an order's schedule opens or its day ends, and every five
 * minutes. If the demand changes meanwhile, it stops, so that the next round begins with the newest lead. But once in
 * five minutes a round reaches the oldest. It also ends holds that lasted long enough. One worker at a time takes a type
 * of leads; offering a lead twice does no harm.
 */
export function createOfferAgain(
  context: Pick<WorkerContext, 'db' | 'market' | 'logger'>,
  assign: Assign,
): (signal: AbortSignal) => Promise<void> {
  const { db, market, logger } = context

  async function offer(round: Round, signal: AbortSignal): Promise<void> {
    const type = round.code
    // The time is read before any lead is offered, so that an order that opens meanwhile is not missed.
    const { at } = await market.transact((trx) => market.orderCache.refresh(trx))
    const chance = findNextChance(market.orderCache.orders.ofType(type), at, AGAIN_SECONDS * 1000)
    if (chance !== undefined) await offerTypeAt(db, type, chance)
    let after: UnsoldLead | undefined
    do {
      const leads = await listUnsold(db, type, { limit: MOST_LEADS, after })
      const failures = await Promise.all(leads.map(({ id }) => assign({ lead: id })))
      const refused = failures.filter((failure) => failure !== undefined)
      // The lead is held for a while, and expires with the hold.
      if (refused[0] !== undefined)
        logger.error({ err: refused[0], count: refused.length }, 'leads could not be offered again')
      after = leads.length < MOST_LEADS ? undefined : leads.at(-1)
      if (after === undefined) await noteAllOffered(db, round)
    } while (after !== undefined && !signal.aborted && (await mayGoOn(db, round)))
  }

  return async function offerAgain(signal) {
    // Before leads are judged by their age.
    await noteMarketRuns(db)
    while ((await endHolds(db, market.holdHours, MOST_LEADS)) === MOST_LEADS && !signal.aborted);
    for (const round of await claimDueTypes(db, AGAIN_SECONDS)) {
      try {
        await offer(round, signal)
      } catch (error) {
        await offerTypeAt(db, round.code, new Date())
        throw error
      }
    }
  }
}

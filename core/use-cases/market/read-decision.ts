import type { LeadDecision } from '#core/contract/market/decision.ts'
import type { Db } from '#core/data/database.ts'
import { findDecision } from '#core/data/market/sale/assignment-decision.ts'
import { LETTERS, NO_LETTER, ORDERS_A_BLOCK } from '#core/domain/market/choice/refusal-letters.ts'

const FORM = {
  reasons: Object.fromEntries(Object.entries(LETTERS).map(([reason, letter]) => [letter, reason])),
  none: NO_LETTER,
  ordersABlock: ORDERS_A_BLOCK,
}

/** Reads the decision about a lead: who got it, and why the others did not, or why one order did not. */
export async function readDecision(
  db: Db,
  leadId: string,
  orderId?: string,
): Promise<Omit<LeadDecision, 'windows'> | undefined> {
  return await findDecision(db, leadId, orderId, FORM)
}

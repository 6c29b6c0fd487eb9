import type { RECALLED, ReturnReason, TAKEN_BACK } from '#core/contract/market/lead-return.ts'
import type { Db } from '#core/data/database.ts'
import { approveReturn, insertReturn, lockReturn, readHolding } from '#core/data/market/settle-return.ts'

/** The holder of a lead. */
export interface HeldLead {
  lead_id: string
  assignment_id: string
  client_user_id: string
}

/** Why and by whom a lead is taken back. */
export interface TakingBack {
  reason: ReturnReason | typeof TAKEN_BACK | typeof RECALLED
  /** the administrator */
  by: string | null
  /** `revoked` if the lead goes on to others */
  state: 'returned' | 'revoked'
}

/**
 * Takes a lead back from its client without being asked, and credits the price, under the lock of the lead. A request
 * of the client that waits, or was denied, is approved. An assignment has one return and a return one credit, so that a
 * second call credits nothing.
 * @returns the dollars that were credited; or why nothing was done
 */
export async function takeLeadBack(
  trx: Db,
  { lead_id, assignment_id, client_user_id: client }: HeldLead,
  { reason, by, state }: TakingBack,
): Promise<{ credited: string } | 'not_held' | 'account_erased'> {
  const earlier = await lockReturn(trx, { lead_id, client })
  const isEarlier = earlier?.assignment_id === assignment_id
  if (isEarlier && earlier.status === 'approved') return 'not_held'
  // Before anything is written: a caller that goes on commits what is.
  const holding = await readHolding(trx, assignment_id)
  if (holding?.is_held !== true) return 'not_held'
  if (holding.is_client_erased) return 'account_erased'
  const id = isEarlier
    ? earlier.id
    : await insertReturn(
        trx,
        { lead_id, assignment_id, client },
        { reason, note: null, asked_by: 'admin', held_for_review: false },
      )
  const request = isEarlier ? earlier : await lockReturn(trx, { id })
  if (request === undefined) throw new Error('PostgreSQL kept no return')
  await approveReturn(trx, request, by, null, state)
  return { credited: request.price }
}

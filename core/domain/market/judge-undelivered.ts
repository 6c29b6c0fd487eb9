import { returnableUntil } from './judge-return.ts'

/**
 * An endpoint reads a lead before it refuses it. So of a client's leads of 30 days only the first few, and beyond them
 * at most this part, are taken back without review.
 */
const UNSEEN_FEW = 3
const LOOKED_AT_ABOVE = 0.2

/** The facts about a lead with a finally failed delivery, and about its holder. */
export interface UndeliveredLead {
  /** the moment that is judged, by the database's clock */
  at: Date
  policy: 'keep' | 'return' | 'reoffer'
  assigned_at: Date
  /** whether its client still has it, and neither the client nor the person was erased */
  is_held: boolean
  /** whether its return was requested before, whatever the result */
  has_request: boolean
  /** whether its deliveries are planned */
  is_planned: boolean
  /** whether one of this client's webhooks accepted it, including deleted ones */
  has_arrived: boolean
  /** number of its deliveries to the client that finally failed */
  failed: number
  /** whether one may still be delivered */
  is_waiting: boolean
  /** the end of its hold if it had not been sold */
  held_until: Date
  /** leads that its client bought in 30 days, and those that were taken back as undeliverable */
  bought: number
  taken_back: number
}

/** `wait`: another webhook may still accept it. `ask`: an administrator decides whether it is returned. */
export type UndeliveredVerdict = 'leave' | 'wait' | 'return' | 'reoffer' | 'ask'

/** Decides about a lead that reached none of its client's webhooks (docs/product.md §10). */
export function judgeUndelivered(lead: UndeliveredLead): UndeliveredVerdict {
  if (lead.policy === 'keep' || !lead.is_held || lead.has_request) return 'leave'
  if (lead.has_arrived || lead.failed === 0) return 'leave'
  if (!lead.is_planned || lead.is_waiting) return 'wait'
  if (lead.at > returnableUntil(lead.assigned_at)) return 'leave'
  if (lead.taken_back >= UNSEEN_FEW && lead.taken_back / lead.bought > LOOKED_AT_ABOVE) return 'ask'
  return lead.policy === 'reoffer' && lead.at < lead.held_until ? 'reoffer' : 'return'
}

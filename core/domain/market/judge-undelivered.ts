import { returnableUntil } from './judge-return.ts'

/**
 * His endpoint has read a lead before it refuses it: after the first few of 30 days, no more than this part of them is taken back
 * without anybody having looked.
 */
const UNSEEN_FEW = 3
const LOOKED_AT_ABOVE = 0.2

/** What is known of a lead of which a delivery has finally failed, and of who has it. */
export interface UndeliveredLead {
  /** the moment that is judged, by the database's clock */
  at: Date
  policy: 'keep' | 'return' | 'reoffer'
  assigned_at: Date
  /** its client has it still, and neither he nor the person was erased */
  is_held: boolean
  /** a return of it was asked for before, whatever became of that */
  has_request: boolean
  /** its deliveries are planned */
  is_planned: boolean
  /** one of this client's webhooks took it, also one that was deleted since */
  has_arrived: boolean
  /** how many of its deliveries to him have finally failed */
  failed: number
  /** one may still be delivered */
  is_waiting: boolean
  /** for so long it would be offered, had nobody wanted it */
  held_until: Date
  /** leads that its client bought in 30 days, and those that were taken back because they could not be delivered */
  bought: number
  taken_back: number
}

/** `wait`: another webhook may still take it. `ask`: an administrator decides whether it is returned. */
export type UndeliveredVerdict = 'leave' | 'wait' | 'return' | 'reoffer' | 'ask'

/** What is to be done with a lead that reached none of its client's webhooks (docs/product.md §10). */
export function judgeUndelivered(lead: UndeliveredLead): UndeliveredVerdict {
  if (lead.policy === 'keep' || !lead.is_held || lead.has_request) return 'leave'
  if (lead.has_arrived || lead.failed === 0) return 'leave'
  if (!lead.is_planned || lead.is_waiting) return 'wait'
  if (lead.at > returnableUntil(lead.assigned_at)) return 'leave'
  if (lead.taken_back >= UNSEEN_FEW && lead.taken_back / lead.bought > LOOKED_AT_ABOVE) return 'ask'
  return lead.policy === 'reoffer' && lead.at < lead.held_until ? 'reoffer' : 'return'
}

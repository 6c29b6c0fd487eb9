import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import type { AttemptRecord } from '#core/data/webhooks/deliveries/attempt-rows.ts'
import { LATE_AFTER_MS } from '#core/domain/market/late/measure-late-lead.ts'
import { uuidMs } from '#core/domain/uuid-at.ts'

/** Half of the promise: ids of leads are made by servers, whose clocks may differ from the database's. */
const NOTED_AFTER_MS = LATE_AFTER_MS / 2

/**
 * Whether an attempt may be the late first one of a sale, by the times in the ids of its lead and event. A chore then
 * measures it by the database's times (core/use-cases/market/credit-late-leads.ts). An attempt before its lead is noted
 * as well: the clock was put back meanwhile, and hides how late it was.
 */
export function findLateStart(delivery: ClaimedDelivery, begunAt: Date): AttemptRecord['late'] {
  const { attempt, event_type: type, is_resend: isResend, due_at, turn } = delivery
  if (attempt !== 1 || isResend || type !== 'lead.assigned') return null
  const since = Math.min(uuidMs(delivery.lead_id), uuidMs(delivery.event_id))
  return Math.abs(begunAt.getTime() - since) > NOTED_AFTER_MS ? { due_at, turn } : null
}

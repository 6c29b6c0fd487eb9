import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { openCallClock } from '../../leads/calling/calling-window.ts'
import { findSendingTime } from '../sending-hours/find-sending-time.ts'
import { judgeCompiled, listUnmet, type CompiledConditions, type FoldedLead } from './judge-conditions.ts'

/** A configuration's conditions and sending hours; null means every lead, and always. */
export interface Choice {
  webhook_config_id: string
  /** the version of the sending hours, if there are any, and of the conditions (core/data/webhooks/read-choices.ts) */
  version: string
  conditions: CompiledConditions | null
  hours: SendingHours | null
}

/**
 * The result for a delivery: none, because of the fields whose rules the lead does not meet, or one that is due from a
 * moment on.
 */
export interface DeliveryVerdict {
  event_id: string
  webhook_config_id: string
  version: string
  /** fields, once each; empty if it is sent */
  unmet: readonly string[]
  due_at: Date
}

export function judgePlanned(
  event_id: string,
  { webhook_config_id, version, conditions, hours }: Choice,
  lead: FoldedLead,
  now: Date,
): DeliveryVerdict {
  const fit = conditions === null ? undefined : judgeCompiled(conditions, lead, now)
  return {
    event_id,
    webhook_config_id,
    version,
    unmet: fit === undefined || fit.fits ? [] : listUnmet(fit),
    due_at: findSendingTime(hours, hours === null ? null : openCallClock(lead.facts), now),
  }
}

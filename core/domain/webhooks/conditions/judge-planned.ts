import type { AskedDelivery } from '#core/contract/webhooks/asked-delivery.ts'
import { findSendingTime } from '../sending-hours/find-sending-time.ts'
import { judgeConditions, listUnmet } from './judge-conditions.ts'

/** What becomes of it: no delivery, for the fields whose rules the lead does not fit, or one that is due from a moment on. */
export interface DeliveryVerdict {
  event_id: string
  webhook_config_id: string
  version: string
  /** fields, once each; empty where it is sent */
  unmet: readonly string[]
  due_at: Date
}

export function judgePlanned(asked: AskedDelivery, now: Date): DeliveryVerdict {
  const { event_id, webhook_config_id, version } = asked
  const fit = judgeConditions(asked.conditions, asked.lead, now)
  return {
    event_id,
    webhook_config_id,
    version,
    unmet: fit.fits ? [] : listUnmet(fit),
    due_at: findSendingTime(asked.sending_hours, now),
  }
}

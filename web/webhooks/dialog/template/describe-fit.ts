import { wordMisfit } from '#core/domain/webhooks/conditions/word-conditions.ts'
import { findSendingTime, isSendingTime } from '#core/domain/webhooks/sending-hours/find-sending-time.ts'
import { formatOpening } from '#web/components/webhook-log-cells.ts'
import type { FitFields } from '../fits/fit-values.ts'

/** The form's conditions and hours; a member is undefined if it is incomplete. */
export type FitsAsked = { [Name in keyof FitFields]: FitFields[Name] | undefined }

export interface FitWords {
  kind: 'sent' | 'waits' | 'skipped' | 'unknown'
  text: string
}

/** Says if a lead would be sent now; null if every lead is sent at any time. */
export function describeFit(
  { conditions, sending_hours: hours }: FitsAsked,
  unmet: readonly string[] | null,
  now: Date,
): FitWords | null {
  if (conditions === null && hours === null) return null
  if (conditions === undefined || hours === undefined)
    return {
      kind: 'unknown',
      text: 'Whether this lead would be sent shows once “Send only what fits” is complete.',
    }
  if (unmet === null) return null
  if (unmet.length > 0) return { kind: 'skipped', text: `This lead would not be sent: ${wordMisfit(unmet)}.` }
  // The preview knows the schedule, and not when this lead may be called.
  const dependsOnCall = hours?.when_callable === true
  if (isSendingTime(hours, null, now))
    return dependsOnCall
      ? { kind: 'waits', text: 'This lead would be sent as soon as it may be called.' }
      : { kind: 'sent', text: 'This lead would be sent at once.' }
  const opening = formatOpening(findSendingTime(hours, null, now).toISOString())
  const until = dependsOnCall ? `${opening}, and until it may be called` : opening
  return { kind: 'waits', text: `This lead would be sent, and waits until ${until}.` }
}

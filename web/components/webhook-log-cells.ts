import type { Outcome } from '#core/contract/webhooks/answer-rules.ts'
import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'

/** docs/product.md §2: the lead's name or 'Unknown', with e-mail, phone or lead id beneath, whichever is there first. */
export function describeLead(log: Pick<DeliveryLog, 'lead' | 'lead_id'>): { name: string; detail: string } {
  return {
    name: firstText(log.lead?.name) ?? 'Unknown',
    detail: firstText(log.lead?.email, log.lead?.phone) ?? log.lead_id,
  }
}

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  accepted: 'Accepted',
  duplicate: 'Duplicate',
  rejected: 'Rejected',
}

/** What the endpoint's answer said by the configuration's success rule; null where it was not asked or said nothing clear. */
export function labelOutcome(outcome: Outcome | null): string | null {
  return outcome === null ? null : OUTCOMES[outcome]
}

/** docs/product.md §2: milliseconds, or 'N/A' where no exchange took place. */
export function formatDuration(milliseconds: number | null): string {
  return milliseconds === null ? 'N/A' : `${milliseconds.toLocaleString('en-US')} ms`
}

/** docs/product.md §2: the HTTP code, or 'N/A' where none was received. */
export function formatResponseCode(status: number | null): string {
  return status === null ? 'N/A' : String(status)
}

/**
 * When something will happen, at a glance: "in 4 s", "in 5 min", "in 2 h", "now" once it is due.
 * A short wait is counted in seconds, because the person is watching it.
 */
export function formatDueIn(due: string, now: Date): string {
  const seconds = Math.ceil((Date.parse(due) - now.getTime()) / 1000)
  if (Number.isNaN(seconds)) return 'at an unknown time'
  if (seconds <= 0) return 'now'
  if (seconds < 90) return `in ${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `in ${minutes} min`
  return `in ${Math.round(minutes / 60)} h`
}

/** When sending hours begin, by the reader's clock: `Mon 9:00 AM`. */
export function formatOpening(at: string): string {
  const form = { weekday: 'short', hour: 'numeric', minute: '2-digit' } as const
  return new Intl.DateTimeFormat('en-US', form).format(new Date(at)).replaceAll('\u202F', ' ')
}

type Waiting = Pick<DeliveryLog, 'delivery_id' | 'delivery_status' | 'attempt_number' | 'next_attempt_at'> &
  Partial<Pick<DeliveryLog, 'waits_for_hours'>>

/**
 * When the delivery of this row is tried next, or null where it is not, or where a newer row of it says so already.
 * A row that has not been sent yet is due; one that failed is sent again.
 */
export function describeNextAttempt(log: Waiting, all: readonly Waiting[], now: Date): string | null {
  if (log.next_attempt_at === null) return null
  const superseded = all.some(
    (other) => other.delivery_id === log.delivery_id && other.attempt_number > log.attempt_number,
  )
  if (superseded) return null
  const due = formatDueIn(log.next_attempt_at, now)
  if (log.waits_for_hours === true && due !== 'now')
    return `waits until ${formatOpening(log.next_attempt_at)}`
  return log.delivery_status === 'pending' ? `due ${due}` : `next attempt ${due}`
}

function firstText(...candidates: readonly (string | null | undefined)[]): string | undefined {
  return candidates.find((text): text is string => typeof text === 'string' && text.trim() !== '')
}

import { isClientEvent } from '#core/contract/events.ts'
import type { Outcome } from '#core/contract/webhooks/answer-rules.ts'
import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import { labelClientEvent } from './event-labels.ts'
import type { Tone } from '../ui/show/tone.ts'

/**
 * The lead's name or 'Unknown', with the first of email, phone and lead id below (docs/product.md §2). An event beside
 * the lead has its own name, and its type below.
 */
export function describeLead(
  log: Pick<DeliveryLog, 'lead' | 'lead_id'> & Partial<Pick<DeliveryLog, 'event_type'>>,
): {
  name: string
  detail: string
} {
  const { lead_id: id, event_type: type = '' } = log
  if (id === null || isClientEvent(type)) return { name: labelClientEvent(type) ?? type, detail: type }
  return {
    name: firstText(log.lead?.name) ?? 'Unknown',
    detail: firstText(log.lead?.email, log.lead?.phone) ?? id,
  }
}

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  accepted: 'Accepted',
  duplicate: 'Duplicate',
  rejected: 'Rejected',
}

/** Names the outcome by the configuration's success rule; null without a rule or a clear result. */
export function labelOutcome(outcome: Outcome | null): string | null {
  return outcome === null ? null : OUTCOMES[outcome]
}

/** Milliseconds, or 'N/A' without an exchange (docs/product.md §2). */
export function formatDuration(milliseconds: number | null): string {
  return milliseconds === null ? 'N/A' : `${milliseconds.toLocaleString('en-US')} ms`
}

/** The HTTP code, or 'N/A' if none was received (docs/product.md §2). */
export function formatResponseCode(status: number | null): string {
  return status === null ? 'N/A' : String(status)
}

/**
 * Says when something is due: "in 4 s", "in 5 min", "in 2 h", or "now" if it is overdue. Short waits are
 * counted in seconds, because the user is watching.
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

/** Formats the start of sending hours by the reader's clock: `Mon 9:00 AM`. */
export function formatOpening(at: string): string {
  const form = { weekday: 'short', hour: 'numeric', minute: '2-digit' } as const
  return new Intl.DateTimeFormat('en-US', form).format(new Date(at)).replaceAll('\u202F', ' ')
}

type Waiting = Pick<DeliveryLog, 'delivery_id' | 'delivery_status' | 'attempt_number' | 'next_attempt_at'> &
  Partial<Pick<DeliveryLog, 'waits_for_hours' | 'waits_for_rate'>>

/** Says that a due attempt waits for the requests a minute of its webhook. */
export function describeRateWait(limit: number): string {
  return `waits for this webhook’s limit of ${limit.toLocaleString('en-US')} a minute`
}

/**
 * Says when the delivery of this row is tried next, or what it waits for. Returns null if no attempt is planned or a newer row
 * already says it. A pending row is due; a failed one has a next attempt.
 */
export function describeNextAttempt(log: Waiting, all: readonly Waiting[], now: Date): string | null {
  if (log.next_attempt_at === null) return null
  const superseded = all.some(
    (other) => other.delivery_id === log.delivery_id && other.attempt_number > log.attempt_number,
  )
  if (superseded) return null
  if (typeof log.waits_for_rate === 'number') return describeRateWait(log.waits_for_rate)
  const due = formatDueIn(log.next_attempt_at, now)
  if (log.waits_for_hours === true && due !== 'now')
    return `waits until ${formatOpening(log.next_attempt_at)}`
  return log.delivery_status === 'pending' ? `due ${due}` : `next attempt ${due}`
}

/** Names who stopped a delivery, from the reader's point of view; null if no person did. */
export function nameCanceller({ cancelled_by }: Pick<DeliveryLog, 'cancelled_by'>) {
  if (cancelled_by === 'client') return 'by you'
  return cancelled_by === 'administrator' ? 'by an administrator' : null
}

/** Describes a cancelled row; other rows show the error of their attempt. */
export function describeCancellation(log: Pick<DeliveryLog, 'cancelled_by' | 'attempt_number'>) {
  const by = nameCanceller(log)
  const before =
    log.attempt_number === 1 ? 'before it was sent' : `before attempt ${log.attempt_number} was made`
  return `Cancelled ${by === null ? '' : `${by} `}${before}.`
}

export type StatusLabel = { label: string; tone: Tone }

/**
 * Returns the label of an attempt (docs/product.md §4). An error class means failed even with a 2xx: the
 * success rule found a refusal, or the answer broke off. Otherwise a 2xx outranks a row marked as failed. An
 * unknown status is shown as it is.
 */
export function labelDeliveryStatus(
  log: Pick<DeliveryLog, 'delivery_status' | 'response_status'> &
    Partial<Pick<DeliveryLog, 'error_class' | 'outcome'>>,
): StatusLabel {
  const code = log.response_status ?? 0
  if ((log.error_class ?? null) !== null) return { label: 'Failed', tone: 'failure' }
  if (log.delivery_status === 'delivered' || (code >= 200 && code < 300))
    return { label: 'Success', tone: 'success' }
  if (log.delivery_status === 'failed' || code >= 400) return { label: 'Failed', tone: 'failure' }
  if (log.delivery_status === 'pending') return { label: 'Pending', tone: 'waiting' }
  return { label: log.delivery_status, tone: 'neutral' }
}

function firstText(...candidates: readonly (string | null | undefined)[]): string | undefined {
  return candidates.find((text): text is string => typeof text === 'string' && text.trim() !== '')
}

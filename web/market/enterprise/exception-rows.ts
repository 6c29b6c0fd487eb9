import type { Exceptions, FailedDelivery, WaitingReturn } from '#core/contract/market/delivery-figures.ts'
import { labelReturnReason } from '#core/domain/market/describe-return.ts'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'
import { wordErrorClass } from '#web/components/error-class-words.ts'

/** A row of the queue: a failed delivery or a return, with its time and reason. */
export type ExceptionRow = { key: string; at: string; why: string } & (
  | { kind: 'failed'; failed: FailedDelivery }
  | { kind: 'return'; asked: WaitingReturn }
)

/** Merges failed deliveries and returns into one queue, newest first. */
export function listQueue({ failed, returns }: Exceptions): ExceptionRow[] {
  return [
    ...failed.map((one) => ({
      kind: 'failed' as const,
      key: one.delivery_id,
      at: one.failed_at,
      why: sayFailure(one),
      failed: one,
    })),
    ...returns.map((one) => ({
      kind: 'return' as const,
      key: one.id,
      at: one.created_at,
      why: labelReturnReason(one.reason),
      asked: one,
    })),
  ].toSorted((a, b) => b.at.localeCompare(a.at))
}

export function leadOf(row: ExceptionRow): FailedDelivery['lead'] {
  return row.kind === 'failed' ? row.failed.lead : row.asked.lead
}

function sayFailure({ reason, message }: FailedDelivery): string {
  const known = reason === null ? undefined : wordErrorClass(reason)
  return message ?? known ?? 'Failed'
}

/** Says why a delivery cannot be resent from here; null if it can. */
export function refuseResend({ attempt_id, is_active, is_returned }: FailedDelivery): string | null {
  if (is_returned) return 'The lead was returned'
  if (!is_active) return 'The webhook is switched off'
  return attempt_id === null ? 'Its log is gone' : null
}

const HEAD = ['What', 'Lead', 'Lead id', 'State', 'Endpoint', 'Why', 'Attempts', 'Since']

export function writeQueue(rows: readonly ExceptionRow[]): string {
  const lines = rows.map((row) => {
    const { id, name, state } = leadOf(row)
    const [what, webhook, attempts] =
      row.kind === 'failed'
        ? ['Delivery failed', row.failed.webhook_name, String(row.failed.attempts)]
        : ['Return waits', null, null]
    return writeCsvRow([what, name, id, state, webhook, row.why, attempts, row.at])
  })
  return writeCsvRow(HEAD) + lines.join('')
}

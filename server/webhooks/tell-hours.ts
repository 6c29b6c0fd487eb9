import { isOpening } from '#core/domain/webhooks/sending-hours/find-sending-time.ts'
import { hoursOf } from './retime-waiting.ts'

/**
 * A row of the log with the configuration's hours replaced by `waits_for_hours`: whether its next attempt waits for
 * them.
 */
export function tellHours<Row extends { next_attempt_at: string | null; sending_hours: unknown }>(
  row: Row,
): Omit<Row, 'sending_hours'> & { waits_for_hours: boolean } {
  const { sending_hours: hours, ...log } = row
  const { next_attempt_at: next } = row
  return {
    ...log,
    waits_for_hours: next !== null && isOpening(hoursOf({ sending_hours: hours }), new Date(next)),
  }
}

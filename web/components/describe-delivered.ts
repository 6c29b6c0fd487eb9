import { countAttemptsEach, type DeliveryDay } from '#core/domain/webhooks/rate-deliveries.ts'
import { formatCount } from '#web/format/count-of.ts'

/**
 * Returns for example "7 of 7 delivered, 2.9 attempts each", "1 of 1 delivered, 1 tried again, 2.5 attempts
 * each" or "None yet, 2 attempts each"; null without attempts.
 */
export function describeDelivered(day: DeliveryDay): string | null {
  const each = countAttemptsEach(day)
  if (each === null) return null
  const ended = day.delivered + day.lost
  // A delivery that is still retried counts neither as delivered nor as lost.
  const made = `${formatCount(day.delivered)} of ${formatCount(ended)} delivered`
  const part =
    ended === 0 ? 'None yet' : day.tried === 0 ? made : `${made}, ${formatCount(day.tried)} tried again`
  const rounded = Math.round(each * 10) / 10
  return rounded === 1 ? part : `${part}, ${rounded.toLocaleString('en-US')} attempts each`
}

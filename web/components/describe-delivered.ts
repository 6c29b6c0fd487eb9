import { countAttemptsEach, type DeliveryDay } from '#core/domain/webhooks/rate-deliveries.ts'
import { formatCount } from '#web/format/count-of.ts'

/** "7 of 7 delivered, 2.9 attempts each", "None yet, 2 attempts each"; null where nothing was tried. */
export function describeDelivered(day: DeliveryDay): string | null {
  const each = countAttemptsEach(day)
  if (each === null) return null
  const ended = day.delivered + day.lost
  // Of what is still tried nothing is delivered, and nothing is lost.
  const part = ended === 0 ? 'None yet' : `${formatCount(day.delivered)} of ${formatCount(ended)} delivered`
  const rounded = Math.round(each * 10) / 10
  return rounded === 1 ? part : `${part}, ${rounded.toLocaleString('en-US')} attempts each`
}

import { countAttemptsEach, type DeliveryDay } from '#core/domain/webhooks/rate-deliveries.ts'
import { formatCount } from '#web/format/count-of.ts'

/** "7 of 7 delivered, 2.9 attempts each"; null where nothing was tried. */
export function describeDelivered(day: DeliveryDay): string | null {
  const each = countAttemptsEach(day)
  if (each === null) return null
  const part = `${formatCount(day.delivered)} of ${formatCount(day.delivered + day.lost)} delivered`
  const rounded = Math.round(each * 10) / 10
  return rounded === 1 ? part : `${part}, ${rounded.toLocaleString('en-US')} attempts each`
}

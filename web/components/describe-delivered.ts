import {
  countAttemptsEach,
  countDeliveries,
  type DeliveryDay,
} from '#core/domain/webhooks/rate-deliveries.ts'
import { formatCount } from '#web/format/count-of.ts'

/**
 * Returns for example "7 of 7 delivered, 2.9 attempts each" or "1 of 2 delivered, 1 waiting"; null without
 * deliveries.
 */
export function describeDelivered(day: DeliveryDay): string | null {
  const all = countDeliveries(day)
  if (all === 0) return null
  const made = `${formatCount(day.delivered)} of ${formatCount(all)} delivered`
  const part = day.waiting === 0 ? made : `${made}, ${formatCount(day.waiting)} waiting`
  const rounded = Math.round((countAttemptsEach(day) ?? 1) * 10) / 10
  return rounded === 1 ? part : `${part}, ${rounded.toLocaleString('en-US')} attempts each`
}

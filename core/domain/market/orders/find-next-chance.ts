import type { OrderToJudge } from './judge-order.ts'
import { addDays, localMoment, whenDateBegins } from '../local-moment.ts'
import { findOpening, isScheduleOpen } from '../schedule.ts'

/**
 * The next moment at which the clock alone lets one of these orders take leads that it did not take before. At that
 * moment it starts, its schedule opens, or its day ends and a cap or budget begins again. Undefined if there is none
 * within `withinMs`.
 */
export function findNextChance(
  orders: Iterable<OrderToJudge>,
  after: Date,
  withinMs: number,
): Date | undefined {
  const last = after.getTime() + withinMs
  let next = Infinity
  const midnights = new Map<string, number>()
  const note = (moment: Date | undefined): void => {
    if (moment !== undefined && moment > after && moment.getTime() <= last)
      next = Math.min(next, moment.getTime())
  }
  for (const { timezone, counts_in_until, schedule, starts_at, paused_by, ...order } of orders) {
    if (paused_by !== null) continue
    const here = localMoment(timezone, after)
    if (starts_at !== null) note(starts_at)
    if (!isScheduleOpen(schedule, here)) note(findOpening(schedule, timezone, after, withinMs))
    if (!isLimited(order)) continue
    const midnight = midnights.get(timezone) ?? whenDateBegins(timezone, addDays(here.date, 1)).getTime()
    midnights.set(timezone, midnight)
    note(new Date(midnight))
    if (counts_in_until !== null) note(counts_in_until)
  }
  return next === Infinity ? undefined : new Date(next)
}

/** Weeks and months end at midnight too. */
function isLimited(
  order: Pick<OrderToJudge, 'daily_cap' | 'weekly_cap' | 'monthly_cap' | 'daily_budget' | 'monthly_budget'>,
): boolean {
  const { daily_cap, weekly_cap, monthly_cap, daily_budget, monthly_budget } = order
  return [daily_cap, weekly_cap, monthly_cap, daily_budget, monthly_budget].some((limit) => limit !== null)
}

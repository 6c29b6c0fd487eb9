import type { Schedule } from '#core/contract/market/schedule.ts'
import { WEEKDAYS } from '../local-moment.ts'

/** The limits of an order; money in cents. */
export interface OrderLimits {
  daily_cap: number | null
  weekly_cap: number | null
  monthly_cap: number | null
  total_cap: number | null
  daily_budget: number | null
  monthly_budget: number | null
  schedule: Schedule | null
}

/**
 * Returns the most that an order costs in a week, in cents; null if nothing limits it. `isBudgeted`: a budget
 * ends it, before the caps do.
 * @param price the highest price of its leads
 */
export function findWeekLimit(
  limits: OrderLimits,
  price: number,
): { cost: number | null; isBudgeted: boolean } {
  const { daily_cap, weekly_cap, monthly_cap, total_cap, daily_budget, monthly_budget, schedule } = limits
  const days = countTakingDays(schedule)
  const byCaps = least([times(daily_cap, days), weekly_cap, monthly_cap, total_cap])
  const byBudgets = least([times(daily_budget, days), monthly_budget])
  const capped = byCaps === Infinity ? Infinity : byCaps * price
  const cost = Math.min(capped, byBudgets)
  return { cost: cost === Infinity ? null : cost, isBudgeted: byBudgets < capped }
}

/** Days of the week on which it takes leads, also those on which only a window of the day before is open. */
function countTakingDays(schedule: Schedule | null): number {
  if (schedule === null) return WEEKDAYS.length
  return WEEKDAYS.filter((day, index) => {
    const before = schedule[WEEKDAYS[(index + 6) % 7] ?? 'sun'] ?? []
    return (schedule[day] ?? []).length > 0 || before.some(([from, to]) => to <= from && to !== '00:00')
  }).length
}

function times(limit: number | null, days: number): number | null {
  return limit === null ? null : limit * days
}

function least(limits: readonly (number | null)[]): number {
  return Math.min(...limits.map((limit) => limit ?? Infinity))
}

import type { OrderTerms } from '#core/contract/market/order.ts'
import { findWeekLimit } from '#core/domain/market/orders/find-week-limit.ts'
import { formatMoney } from '#web/format/money.ts'

/** Dollars as text. */
export interface PriceRange {
  price: string
  highest_price: string
}

/** Says what an order costs in a week at most: "10 a day at $25: up to $1,250 a week". */
export function sayWeekCost(terms: OrderTerms, { price, highest_price: highest }: PriceRange): string {
  const { daily_budget, monthly_budget } = terms
  const limits = { ...terms, daily_budget: cents(daily_budget), monthly_budget: cents(monthly_budget) }
  const { cost, isBudgeted } = findWeekLimit(limits, Number(highest) * 100)
  const each = price === highest ? dollars(price) : `${dollars(price)} to ${dollars(highest)}`
  if (cost === null) return `${each} a lead, without a limit: only your balance ends it`
  const within = isBudgeted ? ', within your budget' : ''
  return `${sayPace(terms)} at ${each}${within}: up to ${dollars(String(cost / 100))} a week`
}

/** The first limit on leads that it has. */
function sayPace({ daily_cap, weekly_cap, monthly_cap, total_cap }: OrderTerms): string {
  if (daily_cap !== null) return `${count(daily_cap)} a day`
  if (weekly_cap !== null) return `${count(weekly_cap)} a week`
  if (monthly_cap !== null) return `${count(monthly_cap)} a month`
  return total_cap === null ? 'Leads' : `${count(total_cap)} in all`
}

function count(leads: number) {
  return leads.toLocaleString('en-US')
}

function cents(amount: string | null) {
  return amount === null ? null : Math.round(Number(amount) * 100)
}

/** "$25", and "$25.50" if there are cents. */
function dollars(amount: string) {
  return formatMoney(amount).replace(/\.00$/, '')
}

import type { Order } from '#core/contract/market/order.ts'
import { localMoment } from '#core/domain/market/local-moment.ts'
import { paceOrder } from '#core/domain/market/orders/order-pace.ts'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'

const CLOCK = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })

/** Describes the forecast of an order's day. */
export function sayPace(order: Order, now: Date): string {
  const { daily_cap, schedule, timezone, state, tallies } = order
  const here = localMoment(timezone, now)
  const pace = paceOrder(
    { leads: tallies.today.leads, daily_cap, schedule, is_taking: isTakingToday(order, now) },
    here,
  )
  switch (pace.kind) {
    case 'reached':
      return 'Daily cap reached'
    case 'over':
      return state.code === 'active' ? 'Its hours are over for today' : 'Takes no more today'
    case 'early':
      return 'Too early to say'
    default:
      return pace.minute === null
        ? `About ${countOf(pace.leads, 'lead')} by the end of the day`
        : `Its cap of ${formatCount(pace.leads)} at about ${sayMinute(pace.minute)}`
  }
}

/** An order outside its hours may still open again before midnight. */
function isTakingToday({ state, timezone }: Order, now: Date): boolean {
  if (state.code === 'active') return true
  if (state.code !== 'scheduled' || state.until === null) return false
  return localMoment(timezone, new Date(state.until)).date === localMoment(timezone, now).date
}

/** Formats a minute of the day: "3:40 PM", with an ordinary space. */
function sayMinute(minute: number): string {
  return CLOCK.format(new Date(minute * 60_000)).replaceAll('\u202F', ' ')
}

const HEAD = [
  'Order',
  'State',
  'Today',
  'Daily cap',
  'Heading',
  'This month',
  'Monthly cap',
  'Spent today',
  'Spent this month',
]

export function writePace(orders: readonly Order[], now: Date): string {
  const lines = orders.map((order) => {
    const { name, state, tallies, daily_cap, monthly_cap } = order
    const cap = (value: number | null) => (value === null ? null : String(value))
    return writeCsvRow([
      name,
      state.sentence,
      String(tallies.today.leads),
      cap(daily_cap),
      sayPace(order, now),
      String(tallies.month.leads),
      cap(monthly_cap),
      tallies.today.spent,
      tallies.month.spent,
    ])
  })
  return writeCsvRow(HEAD) + lines.join('')
}

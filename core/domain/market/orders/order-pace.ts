import type { Schedule } from '#core/contract/market/schedule.ts'
import type { LocalMoment } from '../local-moment.ts'
import { isScheduleOpen } from '../schedule.ts'

const DAY_MINUTES = 1440
/** Minutes of an order's hours below which a single lead would change the forecast too much. */
const TELLING_MINUTES = 60

/** The facts from which the pace of an order's day is computed. */
export interface PacedOrder {
  /** leads received today */
  leads: number
  daily_cap: number | null
  schedule: Schedule | null
  /** whether it can still take leads today */
  is_taking: boolean
}

/**
 * The forecast of an order's day. `reached`: it has its daily cap; `over`: it takes no more today; `early`: too little
 * of its hours has passed. `heading`: at the present pace it has `leads` at the end of the day, and reaches its cap at
 * this `minute` of the day.
 */
export type OrderPace =
  | { kind: 'reached' | 'over' | 'early' }
  | { kind: 'heading'; leads: number; minute: number | null }

/** Counts only the hours in which the order takes leads. A day on which the clocks change is treated like any other. */
export function paceOrder(
  { leads, daily_cap: cap, schedule, is_taking }: PacedOrder,
  { weekday, minute: now }: Pick<LocalMoment, 'weekday' | 'minute'>,
): OrderPace {
  if (cap !== null && leads >= cap) return { kind: 'reached' }
  const open = listOpenMinutes(schedule, weekday)
  const past = open.filter((minute) => minute < now).length
  if (!is_taking || past === open.length) return { kind: 'over' }
  if (past < TELLING_MINUTES) return { kind: 'early' }
  const each = leads / past
  const all = Math.round(each * open.length)
  if (cap === null || all < cap) return { kind: 'heading', leads: all, minute: null }
  const left = Math.ceil((cap - leads) / each)
  return { kind: 'heading', leads: cap, minute: open[Math.min(past + left, open.length - 1)] ?? null }
}

function listOpenMinutes(schedule: Schedule | null, weekday: LocalMoment['weekday']): number[] {
  const day = Array.from({ length: DAY_MINUTES }, (_, minute) => minute)
  return schedule === null ? day : day.filter((minute) => isScheduleOpen(schedule, { weekday, minute }))
}

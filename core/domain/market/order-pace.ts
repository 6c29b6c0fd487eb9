import type { Schedule } from '#core/contract/market/schedule.ts'
import type { LocalMoment } from './local-moment.ts'
import { isScheduleOpen } from './schedule.ts'

const DAY_MINUTES = 1440
/** After less of an order's hours one lead more or less would change everything. */
const TELLING_MINUTES = 60

/** What the pace of an order's day is told by. */
export interface PacedOrder {
  /** received today */
  leads: number
  daily_cap: number | null
  schedule: Schedule | null
  /** it can still take leads today */
  is_taking: boolean
}

/**
 * Where an order's day is heading. `reached` its daily cap; `over`: it takes no more today; `early`: too little of its hours has passed;
 * else with how many `leads` the day ends if it goes on as it went, and at which `minute` of the day the cap would be reached.
 */
export type OrderPace =
  | { kind: 'reached' | 'over' | 'early' }
  | { kind: 'heading'; leads: number; minute: number | null }

/** By the hours in which the order takes leads. Of a day on which the clocks leap as of any other. */
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

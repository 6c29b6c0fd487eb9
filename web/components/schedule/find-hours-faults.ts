import { orderScheduleSchema } from '#core/contract/market/order-schedule.ts'
import { weekdaySchema, type Schedule, type Weekday } from '#core/contract/market/schedule.ts'

/** The error of each day's windows; `all` is the error of the whole week. */
export type HoursFaults = Partial<Record<Weekday | 'all', string>>

const WEEKDAYS: readonly string[] = weekdaySchema.options

const isWeekday = (name: PropertyKey | undefined): name is Weekday => WEEKDAYS.includes(String(name))

/** Finds the first error of each day, by the server's own rule. */
export function findHoursFaults(schedule: Schedule): HoursFaults {
  const faults: HoursFaults = {}
  for (const { path, message } of orderScheduleSchema.safeParse(schedule).error?.issues ?? []) {
    const [day] = path
    if (!isWeekday(day)) faults.all ??= 'Add hours on at least one day'
    else faults[day] ??= path.length > 2 ? 'Enter both times' : message
  }
  return faults
}

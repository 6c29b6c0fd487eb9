import type { Dashboard } from '#core/contract/market/dashboard.ts'
import { readSetup } from '#core/data/market/client-setup.ts'
import {
  countLeadsByDay,
  countLeadsByHour,
  readTimeZone,
  type DayOfLeads,
} from '#core/data/market/dashboard.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'

const WEEK = 7
const HOURS = 24

export async function showDashboard({ db }: ServerContext, caller: Principal): Promise<Dashboard> {
  const [timezone, setup] = await Promise.all([
    readTimeZone(db, caller.user_id),
    readSetup(db, caller.user_id),
  ])
  const [days, hours] = await Promise.all([
    countLeadsByDay(db, caller, timezone, 2 * WEEK),
    countLeadsByHour(db, caller, timezone, HOURS),
  ])
  const week = days.slice(-WEEK)
  return {
    timezone,
    leads: {
      today: week.at(-1)?.leads ?? 0,
      last_7_days: sum(week),
      previous_7_days: sum(days.slice(0, -WEEK)),
      days: week.map((day) => ({ ...day, begins_at: day.begins_at.toISOString() })),
      hours: hours.map((hour) => ({ ...hour, begins_at: hour.begins_at.toISOString() })),
    },
    setup,
  }
}

function sum(days: readonly DayOfLeads[]): number {
  return days.reduce((total, { leads }) => total + leads, 0)
}

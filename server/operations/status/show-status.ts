import {
  FEWEST_LEADS,
  OBJECTIVE,
  STATUS_DAYS,
  type ServiceStatus,
} from '#core/contract/operations/service-status.ts'
import type { Db } from '#core/data/database.ts'
import { listIncidents } from '#core/data/operations/incidents.ts'
import { readOwedCredits, readPromiseDays, type PromiseDay } from '#core/data/operations/promise-hours.ts'

/** How long an answer is used again, so that any number of readers ask the database once. */
export const STATUS_SECONDS = 60
const MOST_INCIDENTS = 50
const INCIDENT_DAYS = 90

/** Answers with the status of the last minute. */
export type ReadStatus = () => Promise<ServiceStatus>

/** @param now a clock in milliseconds that never goes back */
export function createReadStatus(db: Db, now: () => number = () => performance.now()): ReadStatus {
  let last: { at: number; status: Promise<ServiceStatus> } | undefined
  return async () => {
    if (last === undefined || now() - last.at > STATUS_SECONDS * 1000) {
      const status = readStatus(db)
      last = { at: now(), status }
      // A failure is not kept: the next reader asks again.
      status.catch(() => (last = undefined))
    }
    return await last.status
  }
}

async function readStatus(db: Db): Promise<ServiceStatus> {
  const [days, { month, owed, is_offered: isOffered }, incidents] = await Promise.all([
    // Today and 30 days before it have every month as a whole.
    readPromiseDays(db, STATUS_DAYS),
    readOwedCredits(db),
    listIncidents(db, { limit: MOST_INCIDENTS, days: INCIDENT_DAYS }),
  ])
  const ofMonth = addUp(days.filter(({ day }) => day.startsWith(month)))
  return {
    objective: OBJECTIVE,
    month: {
      in_time: shareOf(ofMonth, ofMonth.late),
      kept: isOffered ? shareOf(ofMonth, Math.min(owed, ofMonth.late)) : null,
    },
    days: days.map((one) => ({ day: one.day, in_time: shareOf(one, one.late) })),
    incidents: incidents.map(({ updated_at: _updated, ...incident }) => incident),
    as_of: new Date().toISOString(),
  }
}

function addUp(days: readonly PromiseDay[]): Omit<PromiseDay, 'day'> {
  return days.reduce((sum, { begun, late }) => ({ begun: sum.begun + begun, late: sum.late + late }), {
    begun: 0,
    late: 0,
  })
}

/** A percentage with two decimals, rounded down: 99.999 % is not all. */
function shareOf({ begun }: Omit<PromiseDay, 'day'>, missed: number): number | null {
  if (begun < FEWEST_LEADS) return null
  return Math.floor((Math.max(0, begun - missed) / begun) * 10_000) / 100
}

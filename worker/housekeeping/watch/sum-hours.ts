import { keepRevenueDay, listDaysToCount } from '#core/data/market/money/revenue-days.ts'
import { keepHour, listHoursToCount } from '#core/data/operations/overview/kept-hours.ts'
import { keepPromiseHour, listPromiseHours } from '#core/data/operations/promise-hours.ts'
import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import type { WorkerContext } from '#worker/context.ts'

/**
 * Counts past hours for the overview of the administration and for the status page, and past days for the revenue. While another worker does
 * so, it leaves them to it. Each is a transaction of its own, the newest first.
 */
export async function sumHours({ db }: Pick<WorkerContext, 'db'>, signal: AbortSignal): Promise<void> {
  for (const hour of await listHoursToCount(db)) if (signal.aborted || !(await keepHour(db, hour))) return
  for (const hour of await listPromiseHours(db))
    if (signal.aborted || !(await keepPromiseHour(db, hour))) return
  for (const day of await listDaysToCount(db, ADMINISTRATION_ZONE))
    if (signal.aborted || !(await keepRevenueDay(db, day))) return
}

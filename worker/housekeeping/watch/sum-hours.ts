import { keepHour, listHoursToCount } from '#core/data/operations/overview/kept-hours.ts'
import type { WorkerContext } from '#worker/context.ts'

/** Counts past hours for the overview of the administration. While another worker does so, it leaves them to it. */
export async function sumHours({ db }: Pick<WorkerContext, 'db'>, signal: AbortSignal): Promise<void> {
  for (const hour of await listHoursToCount(db)) if (signal.aborted || !(await keepHour(db, hour))) return
}

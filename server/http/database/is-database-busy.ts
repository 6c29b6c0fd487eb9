/**
 * The database is there, but did not finish in time or broke the work off for the sake of another: a statement or transaction past
 * its time (57014, 25P03, 25P04), a deadlock (40P01), a conflict (40001), a lock that was not to be had (55P03); and in
 * core/data/database.ts's words a connection that fell silent. It was rolled back, and may succeed a moment later.
 */
export function isDatabaseBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && BUSY.has(error.code)) return true
  return /^Query read timeout$|^The database connection fell silent$/.test(error.message)
}

const BUSY: ReadonlySet<string> = new Set(['57014', '25P03', '25P04', '40P01', '40001', '55P03'])

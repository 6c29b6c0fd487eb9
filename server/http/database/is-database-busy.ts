/**
 * Whether the database is available but did not finish in time, or aborted the work in favour of another. The causes: a
 * statement or transaction past its limit (57014, 25P03, 25P04), a deadlock (40P01), a conflict (40001), a lock that
 * was not available (55P03), a connection that fell silent (core/data/database.ts). The work was rolled back and may
 * succeed a moment later.
 */
export function isDatabaseBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && BUSY.has(error.code)) return true
  return /^Query read timeout$|^The database connection fell silent$/.test(error.message)
}

const BUSY: ReadonlySet<string> = new Set(['57014', '25P03', '25P04', '40P01', '40001', '55P03'])

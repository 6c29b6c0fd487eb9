/** PostgreSQL's code for a lock that was waited for too long. */
const LOCK_NOT_AVAILABLE = '55P03'

/** Whether a row was locked for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
}

import pg from 'pg'

/** PostgreSQL's code for a setting that it does not know. */
const UNDEFINED_OBJECT = '42704'

/**
 * Whether an error refused the session for its settings.
 * @returns which of two: a pooler that takes none at start-up, or a version that does not know one
 */
export function readRefusal(error: unknown): 'start-up' | 'unknown' | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined
  if (error.message.includes('unsupported startup parameter')) return 'start-up'
  return error.code === UNDEFINED_OBJECT ? 'unknown' : undefined
}

/**
 * The place where a list continues: the sort key of the last row. `at` keeps PostgreSQL's microseconds, which a Date
 * would lose.
 */
export interface PagePosition {
  at: string
  id: string
}

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** SQL's format for {@link PagePosition} `at`, to be applied to a time `at time zone 'utc'`. */
export const POSITION_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'

/** The opaque `next_cursor` of a list. */
export function writeCursor(position: PagePosition): string {
  return Buffer.from(`${position.at}_${position.id}`).toString('base64url')
}

/** Returns undefined for a text that {@link writeCursor} cannot have written. */
export function readCursor(cursor: string): PagePosition | undefined {
  const [, at, id] = POSITION.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return at === undefined || id === undefined || !isMoment(at) ? undefined : { at, id }
}

/** PostgreSQL knows no year 0 and no 30 February; Date would carry that over to March. */
function isMoment(at: string): boolean {
  const moment = new Date(at)
  return (
    !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 19) === at.slice(0, 19) && at >= '0001'
  )
}

/** Cuts a list that was read with one row more than the page holds. */
export function cutPage<Row extends { position: string; id: string }>(
  rows: readonly Row[],
  limit: number,
): { rows: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page,
    next_cursor:
      rows.length > limit && last !== undefined ? writeCursor({ at: last.position, id: last.id }) : null,
  }
}

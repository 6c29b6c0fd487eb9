import { sql, type RawBuilder } from 'kysely'

/** Half-open: `begins` is included, `ends` is not. */
export interface Span {
  begins: Date
  ends: Date
}

/**
 * Ids are given when rows are written, by clocks that differ by less than this from PostgreSQL's, which gives the times.
 */
const SKEW_MS = 5 * 60_000

/** SQL: the ids that rows of a span may have. So the primary key finds them, and no index of times is needed. */
export function isNear(id: string, { begins, ends }: Span): RawBuilder<unknown> {
  return sql`(${sql.ref(id)} >= ${firstId(begins.getTime() - SKEW_MS)}::uuid and ${sql.ref(id)} < ${firstId(ends.getTime() + SKEW_MS)}::uuid)`
}

/** The lowest uuid of version 7 of this millisecond (RFC 9562 §5.7). */
function firstId(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** SQL: whether a time is in a span. */
export function isWithin(time: string, { begins, ends }: Span): RawBuilder<unknown> {
  return sql`(${sql.ref(time)} >= ${begins} and ${sql.ref(time)} < ${ends})`
}

/** SQL: the beginning of the hour, or of the number of minutes, in which a time is. */
export function binOf(time: string, minutes = 60): RawBuilder<unknown> {
  return sql`date_bin(make_interval(mins => ${sql.lit(minutes)}), ${sql.ref(time)}, '2000-01-01 00:00+00')`
}

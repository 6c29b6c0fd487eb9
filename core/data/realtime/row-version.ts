import { sql, type RawBuilder } from 'kysely'

const TWO_32 = sql.lit(2 ** 32)

/** SQL: the transaction that wrote the row, by the last 32 bits of its number. */
export function xidOf(alias: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${alias}.xmin`)}::text::bigint`
}

/** SQL: the row was written by a transaction from this number on. Numbers of 32 bits begin again after the last. */
export function isSince(alias: string, xid: number): RawBuilder<unknown> {
  return sql`(${xidOf(alias)} - ${xid}::bigint + ${TWO_32}) % ${TWO_32} < ${sql.lit(2 ** 31)}`
}

/** SQL: the row was written by one of these transactions. */
export function isOneOf(alias: string, xids: readonly number[]): RawBuilder<unknown> {
  return sql`${xidOf(alias)} = any(${[...xids]}::bigint[])`
}

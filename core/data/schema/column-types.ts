import type { ColumnType } from 'kysely'

/** Read as a Date; the database's default if it is not given. */
export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
export type NullableTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>
export type NullableText = ColumnType<string | null, string | null | undefined, string | null>
/** numeric arrives as text, so that no float touches money. */
export type Money = ColumnType<string, string | number | undefined, string | number>
export type NullableMoney = ColumnType<string | null, string | null | undefined, string | null>
/**
 * A `json` or `jsonb` column: written as text; values that are read are checked by their schema (core/read-stored.ts).
 */
export type Json = ColumnType<unknown, string | undefined, string>
/** A `jsonb` column that a check constraint holds to be an object. */
export type JsonObject = ColumnType<Record<string, unknown>, string | undefined, string>
/** A `json` column whose text is kept as it is (core/data/database.ts turns the parser off). */
export type JsonText = ColumnType<string, string, string>

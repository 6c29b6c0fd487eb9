import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'
import type { SealedPlace } from './sealed-columns.ts'

/** Rows that are looked at in one statement. */
const PIECE = 2000

/** One row of a column: a sealed value, or the JSON text of an object of sealed values. */
export interface SealedRow {
  key: string
  value: string
}

/**
 * Counts the sealed values of a column by the key that they name; null: they name none.
 */
export async function countSealed(
  db: Db,
  place: SealedPlace,
): Promise<Array<{ key: string | null; count: number }>> {
  const column = sql.ref(place.column)
  const values =
    place.form === 'values'
      ? sql`
          select each.value from ${sql.table(place.table)} t, jsonb_each_text(${ofObject(sql`t.${column}`)}) each`
      : sql`select t.${column} as value from ${sql.table(place.table)} t where t.${column} is not null`
  const { rows } = await sql<{ key: string | null; count: number }>`
    select case when value like 'v2.%' then split_part(value, '.', 2) end as key, count(*)::integer as count
    from (${values}) sealed group by 1 order by 1`.execute(db)
  return rows
}

/**
 * Reads those of the next rows by primary key that hold a value which is not sealed by this key.
 * @param after the key of the last row that was looked at; null at the beginning
 * @returns `last`: the key of the last row looked at now; null after the end
 */
export async function findSealedOtherwise(
  db: Db,
  place: SealedPlace,
  { after, keyId }: { after: string | null; keyId: string },
): Promise<{ rows: SealedRow[]; last: string | null }> {
  const [table, column, key] = [sql.table(place.table), sql.ref(place.column), sql.ref(place.key.column)]
  const prefix = `v2.${keyId}.%`
  const isOther =
    place.form === 'values'
      ? sql`exists (
          select from jsonb_each_text(${ofObject(sql`piece.value`)}) each where each.value not like ${prefix})`
      : sql`piece.value not like ${prefix}`
  const { rows } = await sql<{ key: string; value: string | null }>`
    with piece as materialized (
      select ${key} as key, ${column} as value from ${table}
      where ${after}::text is null or ${key} > ${after}::text::${typeOf(place)} order by ${key} limit ${PIECE}
    )
    select piece.key::text as key, case when ${isOther} then piece.value::text end as value from piece
    where ${isOther} or piece.key = (select key from piece order by key desc limit 1)
    order by piece.key`.execute(db)
  return {
    rows: rows.flatMap(({ key: one, value }) => (value === null ? [] : [{ key: one, value }])),
    last: rows.at(-1)?.key ?? null,
  }
}

/**
 * Replaces values, each only if the row still holds the one that was read. A row that another transaction has locked is
 * left out, so that neither waits for the other.
 * @returns number of replaced values
 */
export async function replaceSealed(
  db: Db,
  place: SealedPlace,
  changes: ReadonlyArray<SealedRow & { resealed: string | null }>,
): Promise<number> {
  const [table, column, key] = [sql.table(place.table), sql.ref(place.column), sql.ref(place.key.column)]
  const form = place.form === 'values' ? sql`jsonb` : sql`text`
  const result = await sql`
    with given as (
      select given.key::${typeOf(place)} as key, old, resealed from unnest(
        ${changes.map((change) => change.key)}::text[], ${changes.map(({ value }) => value)}::text[],
        ${changes.map(({ resealed }) => resealed)}::text[]) as given (key, old, resealed)
    ), free as (
      select t.${key} as key from ${table} t where t.${key} in (select key from given)
      order by t.${key} for no key update skip locked
    )
    update ${table} t set ${column} = given.resealed::${form} from given
    where t.${key} = given.key and t.${column} = given.old::${form} and t.${key} in (select key from free)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}

/** SQL: a damaged row may hold something else. */
function ofObject(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when jsonb_typeof(${value}) = 'object' then ${value} else '{}' end`
}

function typeOf({ key }: SealedPlace): RawBuilder<unknown> {
  return sql.raw(key.type)
}

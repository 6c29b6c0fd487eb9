import { sql, type Kysely } from 'kysely'
import { up as searchWithoutAccents } from './20261127050200-search-without-accents.ts'

/** Leads may be millions, so each index is built while they continue. */
export const isOutsideTransaction = true

/** Replaces a function that folded fewer letters, and its indexes. Newer databases already have both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ folds: boolean }>`
    select prosrc like '%202a%' as folds from pg_proc where oid = 'search_text(text, text, text)'::regprocedure`.execute(
    db,
  )
  if (rows[0]?.folds !== true) await searchWithoutAccents(db)
}

export async function down(): Promise<void> {
  // Nothing is undone, because fewer letters are of no use.
}

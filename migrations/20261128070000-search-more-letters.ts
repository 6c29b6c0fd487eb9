import { sql, type Kysely } from 'kysely'
import { up as searchWithoutAccents } from './20261127050200-search-without-accents.ts'

/** Leads may be millions: each index is built while they go on. */
export const isOutsideTransaction = true

/** Gives databases whose function folded fewer letters the one of today, with indexes built by it. Others have both already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ folds: boolean }>`
    select prosrc like '%202a%' as folds from pg_proc where oid = 'search_text(text, text, text)'::regprocedure`.execute(
    db,
  )
  if (rows[0]?.folds !== true) await searchWithoutAccents(db)
}

export async function down(): Promise<void> {
  // Fewer letters are of use to nobody.
}

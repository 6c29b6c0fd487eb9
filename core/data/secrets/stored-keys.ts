import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** The database's record of the keys. */
export interface StoredKeys {
  /** sealed by the key that seals now; undefined before the first start */
  proof: string | undefined
  /** empty until the first rotation */
  keys: ReadonlyArray<{ id: string; is_first: boolean; kept: string | null; is_retired: boolean }>
}

/** The sealed proof, and the keys that were ever in use; both in one statement, so that they fit together. */
export async function readStoredKeys(db: Db): Promise<StoredKeys> {
  const { rows } = await sql<{ proof: string | null; keys: StoredKeys['keys'] | null }>`
    select (select sealed from secrets_key_check) as proof,
      (select jsonb_agg(jsonb_build_object('id', id, 'is_first', is_first, 'kept', kept, 'is_retired', retired_at is not null)
        order by sealing_since desc)
      from secrets_keys) as keys`.execute(db)
  const [row] = rows
  return { proof: row?.proof ?? undefined, keys: row?.keys ?? [] }
}

/** Stores a sealed proof if there is none yet. */
export async function keepSealedProof(db: Db, sealed: string): Promise<void> {
  await db
    .insertInto('secrets_key_check')
    .values({ sealed })
    .onConflict((conflict) => conflict.column('only').doNothing())
    .execute()
}

/** Locks the proof, so that rotations begin one after the other, and reads what is stored then. */
export async function lockStoredKeys(trx: Db): Promise<StoredKeys> {
  await trx.selectFrom('secrets_key_check').select('sealed').forUpdate().execute()
  return await readStoredKeys(trx)
}

/**
 * Makes a key the one that seals; in a transaction that has locked the proof.
 * @param change.first the key that sealed before the first rotation
 * @param change.kept sealed derived keys of the older keys, by their ids
 */
export async function nameSealingKey(
  trx: Db,
  change: { id: string; proof: string; first: string; kept: ReadonlyMap<string, string> },
): Promise<void> {
  const { id, proof, first, kept } = change
  await trx
    .insertInto('secrets_keys')
    .values({ id: first, is_first: true })
    // A first key that is known stays the first one.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await trx
    .insertInto('secrets_keys')
    .values({ id })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ sealing_since: sql<Date>`clock_timestamp()`, retired_at: null, kept: null }),
    )
    .execute()
  for (const [older, sealed] of kept)
    if (older !== id)
      await trx.updateTable('secrets_keys').set({ kept: sealed }).where('id', '=', older).execute()
  await trx.updateTable('secrets_key_check').set({ sealed: proof }).execute()
}

/** Milliseconds since the key that seals now was named by a rotation. */
export async function readSealingAge(db: Db): Promise<number> {
  const { rows } = await sql<{ age_ms: number }>`
    select (extract(epoch from clock_timestamp() - max(sealing_since)) * 1000)::double precision as age_ms
    from secrets_keys`.execute(db)
  return rows[0]?.age_ms ?? 0
}

/** Notes that no value is sealed with these keys any more: processes start without them. */
export async function retireKeys(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('secrets_keys')
    .set({ retired_at: sql<Date>`clock_timestamp()` })
    .where('id', 'in', ids)
    .where('retired_at', 'is', null)
    .execute()
}

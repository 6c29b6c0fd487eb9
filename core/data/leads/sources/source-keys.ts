import { sql } from 'kysely'
import type { Db } from '../../database.ts'
import type { SourceCaller } from './sources.ts'

/**
 * Finds the sources of API keys (by their SHA-256), in order; undefined for a key that never existed or was revoked.
 * Notes the use of each at most once a minute. It does not wait for a locked key: the holder of the lock notes the use
 * too, or the next request does.
 */
export async function findSourcesByKeys(
  db: Db,
  keyHashes: readonly Buffer[],
): Promise<Array<SourceCaller | undefined>> {
  const { rows } = await sql<{ source_id: string; key_id: string; key_hash: string }>`
    with known as materialized (
      select k.id, k.source_id, k.key_hash from source_keys k
      where k.key_hash = any(${[...keyHashes]}::bytea[]) and k.revoked_at is null
        and (select s.revoked_at is null from sources s where s.id = k.source_id)
    ), noted as (
      update source_keys set last_used_at = now() where id = any(array(
        select id from source_keys where id = any(array(select id from known))
          and (last_used_at is null or last_used_at < now() - interval '1 minute')
        order by id for no key update skip locked))
    )
    select source_id, id as key_id, encode(key_hash, 'hex') as key_hash from known
  `.execute(db)
  const found = new Map(rows.map(({ key_hash, source_id, key_id }) => [key_hash, { source_id, key_id }]))
  return keyHashes.map((hash) => found.get(hash.toString('hex')))
}

/** Counts a source's valid keys. */
export async function countHoldingKeys(db: Db, sourceId: string): Promise<number> {
  const { holding } = await db
    .selectFrom('source_keys')
    .select((row) => row.fn.countAll<string>().as('holding'))
    .where('source_id', '=', sourceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(holding)
}

/** Gives a source, which the caller has locked, a further key. A source whose keys had all ended is open again. */
export async function insertSourceKey(
  trx: Db,
  key: { id: string; source_id: string; key_hash: Buffer; key_prefix: string; created_by: string },
): Promise<void> {
  await trx.insertInto('source_keys').values(key).execute()
  await trx
    .updateTable('sources')
    .set({ revoked_at: null })
    .where('id', '=', key.source_id)
    .where('revoked_at', 'is not', null)
    .execute()
}

/** Finds the source that a key belongs to; undefined if there is no such key. */
export async function findSourceOfKey(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('source_keys').select('source_id').where('id', '=', id).executeTakeFirst()
  return row?.source_id
}

/**
 * Ends one key of a source that the caller has locked.
 * @returns whether it was valid until now
 */
export async function revokeSourceKey(
  trx: Db,
  { id, source_id }: { id: string; source_id: string },
): Promise<boolean> {
  const result = await trx
    .updateTable('source_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('source_id', '=', source_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Time in which bytes without a name are left alone: their row follows within seconds. */
const GRACE = '1 hour'
/** Time in which a removal that was not confirmed may still happen; the store gives one up after ten seconds. */
const DOUBT = '1 minute'

/**
 * Announces bytes before they are put in the store. For an hour nobody removes them; afterwards it is checked whether a
 * file has them.
 * @returns false if a removal of the same bytes may still happen: they must not be stored now
 */
export async function announceContent(
  db: Db,
  { sha256, size }: { sha256: string; size: number },
): Promise<boolean> {
  const { rows } = await sql<{ is_doubtful: boolean }>`
    insert into file_contents (sha256, size, look_at)
    values (decode(${sha256}, 'hex'), ${size}::float8, now() + ${sql.lit(GRACE)}::interval)
    on conflict (sha256) do update set look_at = excluded.look_at
    returning coalesce(file_contents.doubtful_until > now(), false) as is_doubtful`.execute(db)
  return rows[0]?.is_doubtful === false
}

/** Whether a removal of these bytes was not confirmed a moment ago, so that it may still happen. */
export async function isDoubtful(db: Db, sha256: string): Promise<boolean> {
  const { rows } = await sql`
    select from file_contents where sha256 = decode(${sha256}, 'hex') and doubtful_until > now()`.execute(db)
  return rows.length > 0
}

/** Puts bytes back whose removal was not confirmed, in the transaction that took them. They are removed again later. */
export async function doubtContents(trx: Db, contents: readonly UnnamedContent[]): Promise<void> {
  await sql`
    insert into file_contents (sha256, size, look_at, doubtful_until)
    select decode(hash, 'hex'), bytes, now() + ${sql.lit(DOUBT)}::interval, now() + ${sql.lit(DOUBT)}::interval
    from unnest(${contents.map(({ sha256 }) => sha256)}::text[], ${contents.map(({ size }) => size)}::float8[])
      as taken (hash, bytes)`.execute(trx)
}

/** Bytes that no file has; the hash in lower-case hex. */
export interface UnnamedContent {
  sha256: string
  size: number
}

/** Lets bytes be looked at at once that no file will have; those that a file has stay. */
export async function releaseContent(db: Db, sha256: string): Promise<void> {
  await sql`
    update file_contents set look_at = now() where sha256 = decode(${sha256}, 'hex')`.execute(db)
}

/**
 * Takes bytes that no file has. The caller removes them from the store and then commits; a sender of the same bytes
 * waits for that commit and stores them again. Bytes that a file has are not looked at again until one is removed.
 * @param only hashes in lower-case hex, also of bytes that are announced: their sender is told to try again; undefined
 * for all that are due. Bytes in doubt are left alone
 * @returns how many were looked at, at most `limit`, and those that no file has
 */
export async function takeUnnamedContents(
  trx: Db,
  limit: number,
  only?: readonly string[],
): Promise<{ looked: number; unnamed: UnnamedContent[] }> {
  const which =
    only === undefined
      ? sql`look_at <= now()`
      : sql`sha256 in (select decode(hash, 'hex') from unnest(${[...only]}::text[]) as hash)`
  const { rows } = await sql<UnnamedContent & { is_named: boolean }>`
    with due as (
      select sha256 from file_contents where ${which} and coalesce(doubtful_until, '-infinity') <= now() order by look_at limit ${limit} for update skip locked
    ), named as (
      update file_contents c set look_at = null from due
      where c.sha256 = due.sha256 and exists (select from stored_files f where f.sha256 = c.sha256)
      returning c.sha256, c.size
    ), gone as (
      delete from file_contents c using due
      where c.sha256 = due.sha256 and not exists (select from stored_files f where f.sha256 = c.sha256)
      returning c.sha256, c.size
    )
    select encode(sha256, 'hex') as sha256, size::float8 as size, true as is_named from named
    union all select encode(sha256, 'hex'), size::float8, false from gone`.execute(trx)
  return {
    looked: rows.length,
    unnamed: rows.filter(({ is_named }) => !is_named),
  }
}

/** Bytes of everything in the store, for the metrics. */
export async function sumContents(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::float8 as bytes from file_contents`.execute(db)
  return rows[0]?.bytes ?? 0
}

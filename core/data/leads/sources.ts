import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Source } from '#core/contract/leads/source.ts'
import type { Db } from '../database.ts'
import type { SourcesTable } from '../schema/lead-tables.ts'

/** Who sends leads. What else there is to know of a source is read by the statement that stores them. */
export interface SourceCaller {
  source_id: string
}

/**
 * The sources of API keys (by their SHA-256), in order; undefined for a key that was never given out, or revoked. Notes the use of each, at
 * most once a minute, and waits for nobody who has a source locked: he notes it too, or the next to ask does.
 */
export async function findSourcesByKeys(
  db: Db,
  keyHashes: readonly Buffer[],
): Promise<Array<SourceCaller | undefined>> {
  const { rows } = await sql<SourceCaller & { key_hash: string }>`
    with known as materialized (
      select id, api_key_hash from sources where api_key_hash = any(${[...keyHashes]}::bytea[]) and revoked_at is null
    ), noted as (
      update sources set last_used_at = now() where id = any(array(
        select id from sources where id = any(array(select id from known))
          and (last_used_at is null or last_used_at < now() - interval '1 minute')
        order by id for no key update skip locked))
    )
    select id as source_id, encode(api_key_hash, 'hex') as key_hash from known
  `.execute(db)
  const found = new Map(rows.map(({ source_id, key_hash }) => [key_hash, { source_id }]))
  return keyHashes.map((hash) => found.get(hash.toString('hex')))
}

/** SQL on `sources`: the client whom it names is suspended. Looked up by key for each, as below. */
const IS_OWNER_SUSPENDED = sql<boolean>`coalesce((
  select true from profiles p where p.user_id = sources.owner_user_id and p.status = 'suspended' limit 1), false)`

/**
 * The source that a row's `source_id` names, for `lateral`, unless its key was revoked, or the client whom it names is suspended. One look
 * by key for each row: a join might read all sources once a plan is kept that was made while they were few.
 */
export const liveSource = (row: string): RawBuilder<unknown> => sql`(
  select id, name, owner_user_id, auto_assign, test_mode from sources
  where id = ${sql.ref(`${row}.source_id`)} and revoked_at is null and not ${IS_OWNER_SUSPENDED} limit 1)`

/** Whether the key of a source still holds. */
export async function isSourceLive(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('sources')
    .select('id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a source names a client who is suspended: nothing of it is taken until he is resumed. */
export async function isOwnerSuspended(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('sources')
    .select(IS_OWNER_SUSPENDED.as('is_suspended'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.is_suspended === true
}

/** @throws the driver's foreign key error when the owner does not exist */
export async function insertSource(
  db: Db,
  source: Pick<
    SourcesTable,
    'name' | 'owner_user_id' | 'auto_assign' | 'api_key_hash' | 'api_key_prefix' | 'created_by'
  > & { id?: string; test_mode?: boolean },
): Promise<Source> {
  return describe(await db.insertInto('sources').values(source).returning(COLUMNS).executeTakeFirstOrThrow())
}

export async function readSource(db: Db, id: string): Promise<Source | undefined> {
  const row = await db.selectFrom('sources').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : describe(row)
}

/** Every source, newest first. */
export async function listSources(db: Db): Promise<Source[]> {
  const rows = await db.selectFrom('sources').select(COLUMNS).orderBy('id', 'desc').execute()
  return rows.map(describe)
}

/** The key stops working at once; the source stays, because leads name it. @returns `none` when there is none */
export async function revokeSource(db: Db, id: string): Promise<'now' | 'before' | 'none'> {
  const result = await db
    .updateTable('sources')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (result.numUpdatedRows > 0n) return 'now'
  const row = await db.selectFrom('sources').select('id').where('id', '=', id).executeTakeFirst()
  return row === undefined ? 'none' : 'before'
}

/** Switches test mode on or off. @returns the source, and whether that is news; undefined where there is none */
export async function switchTestMode(
  db: Db,
  id: string,
  isOn: boolean,
): Promise<{ source: Source; isNews: boolean } | undefined> {
  const changed = await db
    .updateTable('sources')
    .set({ test_mode: isOn })
    .where('id', '=', id)
    .where('test_mode', '<>', isOn)
    .returning(COLUMNS)
    .executeTakeFirst()
  if (changed !== undefined) return { source: describe(changed), isNews: true }
  const row = await db.selectFrom('sources').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : { source: describe(row), isNews: false }
}

const ownerName = sql<string | null>`
  (select coalesce(nullif(p.name, ''), p.email) from profiles p where p.user_id = sources.owner_user_id)`.as(
  'owner_name',
)

const COLUMNS = [
  'id',
  'name',
  'owner_user_id',
  'auto_assign',
  'test_mode',
  'api_key_prefix',
  'created_at',
  'last_used_at',
  'revoked_at',
  ownerName,
] as const

type StoredSource = Omit<Source, 'created_at' | 'last_used_at' | 'revoked_at'> &
  Pick<Selectable<SourcesTable>, 'created_at' | 'last_used_at' | 'revoked_at'>

function describe(row: StoredSource): Source {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}

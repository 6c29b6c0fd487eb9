import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Source, SourceKey } from '#core/contract/leads/source.ts'
import { clientName, memberName } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'
import { isoTime } from '../leads.ts'
import type { SourcesTable } from '../../schema/lead-tables.ts'

/** The source of a request. All other facts about a source are read by the statement that stores its leads. */
export interface SourceCaller {
  source_id: string
  /** the key of the request; absent for an import, and for a link to a posting specification */
  key_id?: string
}

/** SQL on `sources`: the client that it names is suspended. Each is looked up by key, as below. */
const IS_OWNER_SUSPENDED = sql<boolean>`coalesce((
  select true from profiles p where p.user_id = sources.owner_user_id and p.status = 'suspended' limit 1), false)`

/** SQL: this key is valid, or there is no key to check. */
const isHolding = (
  keyId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`(${keyId} is null or coalesce((
  select true from source_keys k where k.id = ${keyId} and k.revoked_at is null limit 1), false))`

/**
 * The source that a row's `source_id` names, for `lateral`, unless the source or the key was revoked, or its client is
 * suspended, or leads come under a key while the source is paused. Each row has one look-up by key: a join might read
 * all sources with a plan that was cached while they were few.
 */
export const liveSource = (row: string, keyId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select id, name, owner_user_id, auto_assign, test_mode from sources
  where id = ${sql.ref(`${row}.source_id`)} and revoked_at is null and (paused_at is null or ${keyId} is null)
    and ${isHolding(keyId)} and not ${IS_OWNER_SUSPENDED} limit 1)`

/** Whether leads of a source are accepted; with a key, whether they are accepted under that key. */
export async function isSourceLive(db: Db, { source_id, key_id }: SourceCaller): Promise<boolean> {
  const row = await db
    .selectFrom('sources')
    .select('id')
    .where('id', '=', source_id)
    .where('revoked_at', 'is', null)
    .$if(key_id !== undefined, (query) => query.where(isHolding(sql`${key_id}::uuid`)))
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a source names a suspended client: none of its leads are accepted until the client is resumed. */
export async function isOwnerSuspended(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('sources')
    .select(IS_OWNER_SUSPENDED.as('is_suspended'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.is_suspended === true
}

/**
 * Inserts a source with its first key.
 * @throws the driver's foreign key error if the owner does not exist
 */
export async function insertSource(
  db: Db,
  source: Pick<
    SourcesTable,
    'name' | 'owner_user_id' | 'auto_assign' | 'api_key_hash' | 'api_key_prefix' | 'created_by'
  > & { id?: string; test_mode?: boolean },
): Promise<{ id: string }> {
  return await db.insertInto('sources').values(source).returning('id').executeTakeFirstOrThrow()
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

/**
 * Revokes all of its keys at once; the source stays, because leads name it.
 * @returns `none` if there is no such source
 */
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

/** Locks a source, so that its keys change one after the other. Returns undefined if there is none. */
export async function lockSource(
  trx: Db,
  id: string,
): Promise<Pick<Selectable<SourcesTable>, 'revoked_at' | 'stopped_at' | 'paused_at'> | undefined> {
  return await trx
    .selectFrom('sources')
    .select(['revoked_at', 'stopped_at', 'paused_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * Switches test mode on or off.
 * @returns the source, and whether it changed; undefined if there is none
 */
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
  (select ${clientName('p')} from profiles p where p.user_id = sources.owner_user_id)`.as('owner_name')

/** The name of the administrator who paused it. */
const pausedByName = sql<string | null>`
  (select ${memberName('p')} from profiles p where p.user_id = sources.paused_by)`.as('paused_by_name')

/** The time of the latest use of any of its keys. */
const lastUsedAt = sql<Date | null>`
  (select max(k.last_used_at) from source_keys k where k.source_id = sources.id)`.as('last_used_at')

/** The prefix of the oldest valid key, or of the first key if none is valid. */
const keyPrefix = sql<string>`coalesce((
  select k.key_prefix from source_keys k where k.source_id = sources.id and k.revoked_at is null
  order by k.created_at, k.id limit 1), api_key_prefix)`.as('api_key_prefix')

/** The keys, newest first; times in the form that PostgreSQL writes in JSON. */
const keys = sql<SourceKey[]>`coalesce((
  select jsonb_agg(jsonb_build_object('id', k.id, 'api_key_prefix', k.key_prefix, 'created_at', k.created_at,
    'last_used_at', k.last_used_at, 'revoked_at', k.revoked_at) order by k.created_at desc, k.id desc)
  from source_keys k where k.source_id = sources.id), '[]')`.as('keys')

const COLUMNS = [
  'id',
  'name',
  'owner_user_id',
  'auto_assign',
  'test_mode',
  'created_at',
  'revoked_at',
  'stopped_at',
  'stop_reason',
  'paused_at',
  'pause_reason',
  pausedByName,
  keyPrefix,
  lastUsedAt,
  keys,
  ownerName,
] as const

type Times = 'created_at' | 'last_used_at' | 'revoked_at' | 'stopped_at' | 'paused_at'
type StoredSource = Omit<Source, Times> & Pick<Selectable<SourcesTable>, Times>

function describe({ keys: stored, ...row }: StoredSource): Source {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: isoTime(row.last_used_at),
    revoked_at: isoTime(row.revoked_at),
    stopped_at: isoTime(row.stopped_at),
    paused_at: isoTime(row.paused_at),
    keys: stored.map((key) => ({
      ...key,
      created_at: new Date(key.created_at).toISOString(),
      last_used_at: key.last_used_at === null ? null : new Date(key.last_used_at).toISOString(),
      revoked_at: key.revoked_at === null ? null : new Date(key.revoked_at).toISOString(),
    })),
  }
}

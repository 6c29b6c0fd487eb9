import { sql, type Selectable } from 'kysely'
import type { ServiceKey } from '#core/contract/accounts/service-key.ts'
import type { Db } from '../database.ts'
import type { ServiceKeysTable } from '../schema/account-tables.ts'

/** The row of all keys that name none: made before keys were listed, or without the database. */
export const UNLISTED_KEYS = '00000000-0000-0000-0000-000000000000'

/** The time of the last use is written this often at most. */
const USE_SECONDS = 60

/** Lists a new key. @param key.ending its last characters @returns its row */
export async function insertServiceKey(
  db: Db,
  key: { id: string; name: string; days: number; ending: string },
): Promise<ServiceKey> {
  const row = await db
    .insertInto('auth.service_keys')
    .values({
      id: key.id,
      name: key.name,
      key_ending: key.ending,
      expires_at: sql<Date>`clock_timestamp() + make_interval(days => ${key.days})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return describe(row)
}

/** All keys, the newest first; the row of unlisted keys is the last. */
export async function listServiceKeys(db: Db): Promise<ServiceKey[]> {
  const rows = await db.selectFrom('auth.service_keys').selectAll().orderBy('id', 'desc').execute()
  return rows.map(describe)
}

function describe(row: Selectable<ServiceKeysTable>): ServiceKey {
  const { id, name, key_ending, created_at, expires_at, last_used_at, revoked_at } = row
  return {
    id,
    program: name,
    key_ending,
    is_listed: id !== UNLISTED_KEYS,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
    revoked_at: revoked_at?.toISOString() ?? null,
  }
}

/**
 * Whether a key is valid, and notes its use. By primary key: a call with a service key is rare and does much more.
 * @param id what the key names; undefined if it names none
 */
export async function useServiceKey(db: Db, id: string = UNLISTED_KEYS): Promise<boolean> {
  const key = await db
    .selectFrom('auth.service_keys')
    .select(sql<boolean>`revoked_at is not null`.as('is_revoked'))
    .select(
      sql<boolean>`coalesce(last_used_at < clock_timestamp() - make_interval(secs => ${USE_SECONDS}), true)`.as(
        'needs_touch',
      ),
    )
    .where('id', '=', id)
    .executeTakeFirst()
  if (key === undefined || key.is_revoked) return false
  if (key.needs_touch)
    await db
      .updateTable('auth.service_keys')
      .set({ last_used_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', id)
      .execute()
  return true
}

/**
 * Ends a key for good; the next call with it is refused. With the id of {@link UNLISTED_KEYS}, all of these end.
 * @returns the key's name, and whether it was valid until now; undefined if there is no such key
 */
export async function revokeServiceKey(
  trx: Db,
  id: string,
): Promise<{ name: string; isNew: boolean } | undefined> {
  const key = await trx
    .selectFrom('auth.service_keys')
    .select(['name', 'revoked_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (key === undefined) return undefined
  const isNew = key.revoked_at === null
  if (isNew)
    await trx
      .updateTable('auth.service_keys')
      .set({ revoked_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', id)
      .execute()
  return { name: key.name, isNew }
}

import { sql, type RawBuilder } from 'kysely'
import type { Suppression, SuppressionFilter } from '#core/contract/market/suppression.ts'
import type { Db } from '../database.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'

/** A phone or address that is never sold (core/secrets/suppression-hash.ts). */
export interface SuppressedContact {
  kind: 'phone' | 'email'
  /** the hash for a new entry, then those of entries made under older keys */
  hashes: readonly Buffer[]
}

/**
 * Suppresses them for orders of one client; existing entries stay as they are.
 * @returns number of new entries
 */
export async function addClientSuppressions(
  db: Db,
  contacts: readonly SuppressedContact[],
  entry: { client_user_id: string; created_by: string | null },
): Promise<number> {
  const result = await sql`
    insert into client_suppressions (client_user_id, kind, hash, reason, created_by)
    select ${entry.client_user_id}, kind, hash, 'do_not_contact', ${entry.created_by}
    from ${listContacts(contacts)}
    where not exists (
      select from client_suppressions s
      where s.client_user_id = ${entry.client_user_id} and s.kind = given.kind and s.hash = any (given.older)
    )
    order by kind, hash
    on conflict do nothing`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

/**
 * Adds them to the list; existing entries stay as they are.
 * @returns number of new entries
 */
export async function addSuppressions(
  db: Db,
  contacts: readonly SuppressedContact[],
  entry: { reason: string; note: string | null; created_by: string | null },
): Promise<number> {
  // All callers insert in the same order; otherwise two pastes of one list could deadlock.
  const result = await sql`
    insert into suppressions (kind, hash, reason, note, created_by)
    select kind, hash, ${entry.reason}, ${entry.note}, ${entry.created_by}
    from ${listContacts(contacts)}
    where not exists (select from suppressions s where s.kind = given.kind and s.hash = any (given.older))
    order by kind, hash
    on conflict (kind, hash) do nothing`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

/** SQL: the contacts as a table `given`. */
function listContacts(contacts: readonly SuppressedContact[]): RawBuilder<unknown> {
  const text = (hash: Buffer | undefined): string => `\\x${hash?.toString('hex') ?? ''}`
  const rows = contacts.map(({ kind, hashes: [hash, ...older] }) => ({
    kind,
    hash: text(hash),
    older: older.map(text),
  }))
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (kind text, hash bytea, older bytea[])`
}

/** Limit of clients that are looked up for one person; more would not change the answer. */
const MOST_FOUND = 100
const COLUMNS = ['id', 'kind', 'reason', 'note', 'created_by', 'created_at'] as const

/** A page of the list, newest first, with one row more than `limit` if there are more. */
export async function listSuppressions(
  db: Db,
  filter: SuppressionFilter,
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<Array<Suppression & { position: string }>> {
  const rows = await db
    .selectFrom('suppressions')
    .select(COLUMNS)
    .select(sql<string>`to_char(created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`.as('position'))
    .$if(filter.kind !== undefined, (query) => query.where('kind', '=', filter.kind ?? 'phone'))
    .$if(filter.reason !== undefined, (query) => query.where('reason', '=', filter.reason ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map(describe)
}

/** The entries of one phone or address: the one for everybody first, then those for one client, newest first. */
export async function findSuppressions(db: Db, { kind, hashes }: SuppressedContact): Promise<Suppression[]> {
  const forAll = await db
    .selectFrom('suppressions')
    .select(COLUMNS)
    .where('kind', '=', kind)
    .where('hash', 'in', hashes)
    .execute()
  const forClients = await db
    .selectFrom('client_suppressions')
    .select(['id', 'kind', 'client_user_id', 'reason', 'created_by', 'created_at'])
    .where('kind', '=', kind)
    .where('hash', 'in', hashes)
    .orderBy('created_at', 'desc')
    .limit(MOST_FOUND)
    .execute()
  return [...forAll, ...forClients.map((row) => ({ ...row, note: null }))].map(describe)
}

/**
 * Removes an entry, for everybody or for one client.
 * @returns the removed entry; undefined if there is none with this id
 */
export async function removeSuppression(
  db: Db,
  id: string,
): Promise<{ kind: string; reason: string; client_user_id?: string } | undefined> {
  const forAll = await db
    .deleteFrom('suppressions')
    .where('id', '=', id)
    .returning(['kind', 'reason'])
    .executeTakeFirst()
  if (forAll !== undefined) return forAll
  return await db
    .deleteFrom('client_suppressions')
    .where('id', '=', id)
    .returning(['kind', 'reason', 'client_user_id'])
    .executeTakeFirst()
}

/** A check constraint limits `reason` to the contract's words. */
function describe<Row extends { created_at: Date; reason: string; client_user_id?: string }>(row: Row) {
  return {
    ...row,
    client_user_id: row.client_user_id ?? null,
    reason: row.reason as Suppression['reason'],
    created_at: row.created_at.toISOString(),
  }
}

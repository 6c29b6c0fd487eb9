import { sql, type Insertable } from 'kysely'
import type { ExportFailure, ExportFilters, ExportKind, ExportState } from '#core/contract/exports/export.ts'
import type { Db } from '../database.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'
import type { ExportsTable } from '../schema/export-tables.ts'

/** The person who asked for exports, and the account whose rows they contain. */
export interface ExportOwner {
  account_id: string
  asked_by: string
}

/**
 * A person who reads their exports: of the kinds that their role includes. An agent reads no export that they asked for
 * in another role, because it contains leads of others. Nor does a person without an administrator's rights, or without
 * the second factor that they need, read an export of all accounts.
 */
export interface ExportReader extends ExportOwner {
  kinds: readonly ExportKind[]
  member_user_id?: string | undefined
  is_admin: boolean
}

const isReaders = ({
  account_id,
  asked_by,
  kinds,
  member_user_id: own,
  is_admin,
}: ExportReader) => sql<boolean>`(
  account_id = ${account_id} and asked_by = ${asked_by} and kind = any(${[...kinds]}::text[])
  and (${own ?? null}::uuid is null or member_user_id = ${own ?? null}::uuid)
  and (${is_admin} or not is_of_all))`

/** An export as it is stored. */
export interface StoredExport {
  id: string
  account_id: string
  asked_by: string
  member_user_id: string | null
  kind: ExportKind
  /** the filters of its list, as a query has them */
  filters: ExportFilters
  state: ExportState
  rows_done: number
  rows_all: number | null
  file_name: string
  /** bytes */
  size: string | null
  failure: ExportFailure | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
  position: string
}

const SELECTED = sql`id, account_id, asked_by, member_user_id, kind, filters, state, rows_done, rows_all, file_name,
  size::text as size, failure, created_at, started_at, finished_at,
  to_char(created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position`

export async function insertExport(
  trx: Db,
  asked: Pick<Insertable<ExportsTable>, 'member_user_id' | 'kind' | 'file_name'> &
    ExportOwner & { id: string; filters: ExportFilters; is_of_all: boolean },
): Promise<void> {
  await trx
    .insertInto('exports')
    .values({ ...asked, filters: JSON.stringify(asked.filters) })
    .execute()
}

/**
 * Number of an account's exports that are not made yet. Others of the account wait until the transaction ends, so that
 * two requests at once do not exceed the limit.
 */
export async function countOpenExports(trx: Db, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('exports'), hashtext(${accountId}))`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from exports where account_id = ${accountId} and state in ('waiting', 'running')`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

/** Returns undefined for another person's export. */
export async function findExport(
  db: Db,
  reader: ExportReader,
  id: string,
): Promise<StoredExport | undefined> {
  const { rows } = await sql<StoredExport>`
    select ${SELECTED} from exports
    where id = ${id} and ${isReaders(reader)}`.execute(db)
  return rows[0]
}

/** A page of a person's exports, newest first, with one row more than `limit` if there are more. */
export async function listExports(
  db: Db,
  reader: ExportReader,
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<StoredExport[]> {
  const { rows } = await sql<StoredExport>`
    select ${SELECTED} from exports
    where ${isReaders(reader)}
      and (created_at, id) < (coalesce(${after?.at ?? null}::timestamptz, 'infinity'),
        coalesce(${after?.id ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by created_at desc, id desc limit ${limit + 1}`.execute(db)
  return rows
}

/**
 * Removes the row of an export; a worker that makes it stops.
 * @returns the name of its file; undefined for another person's export
 */
export async function removeExport(trx: Db, reader: ExportReader, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ file_name: string }>`
    delete from exports where id = ${id} and ${isReaders(reader)} returning file_name`.execute(trx)
  return rows[0]?.file_name
}

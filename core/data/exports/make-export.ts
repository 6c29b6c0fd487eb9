import { sql } from 'kysely'
import type { ExportFailure, ExportFilters, ExportKind } from '#core/contract/exports/export.ts'
import type { Db } from '../database.ts'

/**
 * SQL: the key of a lock that a claim holds alone, and erasures share until they commit. A claim that comes first is seen
 * by the erasure; one that comes later reads the erased rows.
 */
export const CLAIMING = sql`hashtext('exports'), hashtext('claiming')`

/** An export that this worker makes; `tries` is the fencing token against earlier and later ones. */
export interface ClaimedExport {
  id: string
  account_id: string
  asked_by: string
  member_user_id: string | null
  /** of all accounts, for an administrator */
  is_of_all: boolean
  kind: ExportKind
  filters: ExportFilters
  file_name: string
  tries: number
}

/**
 * Claims the export that has waited longest, and counts this try. An account has one made at a time, so that its long
 * exports do not delay another's. None is claimed while a lead is being erased (remove-exports.ts): its rows would still
 * contain the person.
 */
export async function claimExport(db: Db, leaseSeconds: number): Promise<ClaimedExport | undefined> {
  const { rows } = await sql<ClaimedExport>`
    update exports set state = 'running', tries = tries + 1, rows_done = 0, rows_all = null, started_at = now(),
      lease_until = now() + make_interval(secs => ${leaseSeconds})
    where id = (
      select id from exports e
      where state in ('waiting', 'running') and (lease_until is null or lease_until < now())
        and (select pg_try_advisory_xact_lock(${CLAIMING}))
        and not exists (
          select from exports r where r.account_id = e.account_id and r.state = 'running' and r.lease_until >= now())
      order by created_at, id limit 1 for update skip locked)
    returning id, account_id, asked_by, member_user_id, is_of_all, kind, filters, file_name, tries`.execute(
    db,
  )
  return rows[0]
}

type Held = Pick<ClaimedExport, 'id' | 'tries'>

/**
 * Notes the progress and extends the lease.
 * @returns false if the export was removed, or another worker has it
 */
export async function noteProgress(
  db: Db,
  { id, tries }: Held,
  { done, all, leaseSeconds }: { done: number; all: number | null; leaseSeconds: number },
): Promise<boolean> {
  const { rows } = await sql`
    update exports set rows_done = ${done}::int, rows_all = ${all}::int,
      lease_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and tries = ${tries} and state = 'running' returning id`.execute(db)
  return rows.length > 0
}

/**
 * Notes that the file is stored. Its search text may be a name, so it is forgotten.
 * @returns false if the export was removed, or another worker has it
 */
export async function finishExport(
  trx: Db,
  { id, tries }: Held,
  { rows: count, size }: { rows: number; size: number },
): Promise<boolean> {
  const { rows } = await sql`
    update exports set state = 'done', rows_done = ${count}::int, rows_all = ${count}::int, size = ${size}::bigint,
      filters = filters - 'search', finished_at = now(), lease_until = null
    where id = ${id} and tries = ${tries} and state = 'running' returning id`.execute(trx)
  return rows.length > 0
}

/** Ends it without a file. It does nothing if another worker has it. */
export async function failExport(db: Db, { id, tries }: Held, failure: ExportFailure): Promise<void> {
  await sql`
    update exports set state = 'failed', failure = ${failure}, finished_at = now(), lease_until = null
    where id = ${id} and tries = ${tries} and state = 'running'`.execute(db)
}

/**
 * Lets a worker begin it again.
 * @param given.seconds until then
 * @param given.isCounted whether this try counts as one without a result
 */
export async function releaseExport(
  db: Db,
  { id, tries }: Held,
  { seconds, isCounted }: { seconds: number; isCounted: boolean },
): Promise<void> {
  await sql`
    update exports set state = 'waiting', tries = tries - ${isCounted ? 0 : 1}::int,
      lease_until = now() + make_interval(secs => ${seconds})
    where id = ${id} and tries = ${tries} and state = 'running'`.execute(db)
}

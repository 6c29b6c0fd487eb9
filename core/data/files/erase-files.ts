import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'
import { removeExportsOf, removeExportsSince } from '../exports/remove-exports.ts'

/** SQL: ids of files of leads that administrators keep of their own, outside imports. Any may contain any person. */
const KEPT_BY_ADMINISTRATORS = sql`select id from stored_files where bucket_id = 'imports' and account_id is not null`

/**
 * Removes files that may contain a lead, in the transaction that erases it: exports of the accounts that held it, and of
 * administrators; its evidence; files of imports of its source that were under way when it came; and files that
 * administrators put into `imports` themselves.
 * @returns the hash of each file's bytes in lower-case hex; the caller removes them after the commit
 */
export async function eraseFilesOfLead(trx: Db, leadId: string): Promise<string[]> {
  const { rows } = await sql<{ accounts: string[]; since: Date }>`
    select l.created_at as since, array(
      select unnest(array[l.user_id, l.assigned_to])
      union select client_user_id from lead_assignments where lead_id = l.id) as accounts
    from leads l where l.id = ${leadId}`.execute(trx)
  const [lead] = rows
  if (lead === undefined) return []
  const exported = await removeExportsSince(trx, lead)
  const others = await freedBy(
    trx,
    sql`select id from stored_files where lead_id = ${leadId}
      union select f.id from stored_files f join lead_returns r on r.id = f.return_id where r.lead_id = ${leadId}
      union select i.file_id from lead_imports i join leads l on l.source_id = i.source_id
        where l.id = ${leadId} and i.file_id is not null and i.created_at <= l.created_at
          and coalesce(i.finished_at, 'infinity') >= l.created_at
      union ${KEPT_BY_ADMINISTRATORS}`,
  )
  return await lookAtOnce(trx, [...exported, ...others])
}

/**
 * Removes the files that are about leads, in the transaction that empties them for their age: evidence, and files of
 * imports of their sources that were under way when they came. Exports are kept for a week at most, and administrators'
 * own files are for them to remove.
 * @returns how many
 */
export async function eraseFilesOfLeads(trx: Db, ids: readonly string[]): Promise<number> {
  const leads = sql`any(${[...ids]}::uuid[])`
  const freed = await freedBy(
    trx,
    sql`select id from stored_files where lead_id = ${leads}
      union select f.id from stored_files f join lead_returns r on r.id = f.return_id where r.lead_id = ${leads}
      union select i.file_id from lead_imports i join leads l on l.source_id = i.source_id
        where l.id = ${leads} and i.file_id is not null and i.created_at <= l.created_at
          and coalesce(i.finished_at, 'infinity') >= l.created_at`,
  )
  return (await lookAtOnce(trx, freed)).length
}

/**
 * Removes the files of an account that is erased, in its transaction.
 * @returns as {@link eraseFilesOfLead}
 */
export async function eraseFilesOfAccount(trx: Db, userId: string): Promise<string[]> {
  const exported = await removeExportsOf(trx, userId)
  const others = await freedBy(trx, sql`select id from stored_files where account_id = ${userId}`)
  return await lookAtOnce(trx, [...exported, ...others])
}

/**
 * Removes the files of imports with a row that a condition describes, and administrators' own files of leads, in the
 * transaction that erases a person. An import that is being read keeps no file; one that is kept at this moment is waited
 * for.
 * @param isInRow the condition on a row `r` of the import
 * @returns as {@link eraseFilesOfLead}
 */
export async function eraseImportFiles(trx: Db, isInRow: RawBuilder<unknown>): Promise<string[]> {
  const hasRow = sql`exists (select from lead_import_rows r where r.import_id = i.id and ${isInRow})`
  await sql`
    update lead_imports i set keeps_no_file = true where i.state = 'reading' and ${hasRow}`.execute(trx)
  const freed = await freedBy(
    trx,
    sql`select i.file_id from lead_imports i where i.file_id is not null and ${hasRow}
      union ${KEPT_BY_ADMINISTRATORS}`,
  )
  return await lookAtOnce(trx, freed)
}

/** @param ids a query, whose parts each have an index: a condition with `or` would read every file */
async function freedBy(trx: Db, ids: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    delete from stored_files f where f.id = any(array(${ids})) returning encode(f.sha256, 'hex') as sha256`.execute(
    trx,
  )
  return rows.map(({ sha256 }) => sha256)
}

/** If this process ends before it removes the bytes, housekeeping does it within a minute. */
async function lookAtOnce(trx: Db, hashes: string[]): Promise<string[]> {
  await sql`
    update file_contents set look_at = now()
    where sha256 in (select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash)`.execute(trx)
  return hashes
}

import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'
import { CLAIMING } from './make-export.ts'

/** Removes exports, with their files, that ended before a time. Returns how many. */
export async function removeOldExports(db: Db, before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with ${removing(sql`finished_at < ${before}`)} select count(*)::int as count from gone`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Removes every export that may contain a lead, with its file, in the transaction that erases the lead. An export under
 * way is made again, without the lead, and none is begun before the commit. Exports are kept for a week, so those that were made before the lead came, or
 * after it left, are few: the caller names the time from which the lead was held.
 * @param lead.accounts the accounts that held the lead; administrators' exports may contain any lead
 * @returns the hashes of their bytes, in lower-case hex
 */
export async function removeExportsSince(
  trx: Db,
  lead: { accounts: readonly string[]; since: Date },
): Promise<string[]> {
  const mayContain = sql`kind = 'leads' and (is_of_all or account_id = any(${[...lead.accounts]}::uuid[]))`
  await sql`select pg_advisory_xact_lock_shared(${CLAIMING})`.execute(trx)
  await sql`
    update exports set state = 'waiting', lease_until = null where state = 'running' and ${mayContain}`.execute(
    trx,
  )
  return await freedBy(trx, sql`finished_at >= ${lead.since} and ${mayContain}`)
}

/**
 * Removes the exports of an account that is erased, and those that the person asked for, with their files.
 * @returns the hashes of their bytes, in lower-case hex
 */
export async function removeExportsOf(trx: Db, userId: string): Promise<string[]> {
  return await freedBy(trx, sql`account_id = ${userId} or asked_by = ${userId}`)
}

async function freedBy(trx: Db, which: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    with ${removing(which)} select encode(sha256, 'hex') as sha256 from files`.execute(trx)
  return rows.map(({ sha256 }) => sha256)
}

/** SQL: `gone` removes exports, and `files` the files of these. */
function removing(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`gone as (delete from exports where ${which} returning file_name),
    files as (
      delete from stored_files f using gone where f.bucket_id = 'exports' and f.name = gone.file_name returning f.sha256)`
}

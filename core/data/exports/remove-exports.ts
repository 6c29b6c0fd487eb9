import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'

/** Removes exports, with their files, that ended before a time. Returns how many. */
export async function removeOldExports(db: Db, before: Date): Promise<number> {
  return await removeThose(db, sql`finished_at < ${before}`)
}

/**
 * Removes every export that may contain a lead, with its file, in the transaction that erases the lead. An export under
 * way is made again, without the lead. Exports are kept for a week, so those that were made before the lead came, or
 * after it left, are few: the caller names the time from which the lead was held.
 * @param lead.accounts the accounts that held the lead; administrators' exports may contain any lead
 * @returns how many ready exports were removed
 */
export async function removeExportsSince(
  trx: Db,
  lead: { accounts: readonly string[]; since: Date },
): Promise<number> {
  const mayContain = sql`kind = 'leads' and (account_id = any(${[...lead.accounts]}::uuid[])
    or exists (select from profiles p where p.user_id = account_id and p.role = 'admin'))`
  await sql`
    update exports set state = 'waiting', lease_until = null where state = 'running' and ${mayContain}`.execute(
    trx,
  )
  return await removeThose(trx, sql`finished_at >= ${lead.since} and ${mayContain}`)
}

async function removeThose(db: Db, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (delete from exports where ${which} returning file_name),
    files as (delete from stored_files f using gone where f.bucket_id = 'exports' and f.name = gone.file_name)
    select count(*)::int as count from gone`.execute(db)
  return rows[0]?.count ?? 0
}

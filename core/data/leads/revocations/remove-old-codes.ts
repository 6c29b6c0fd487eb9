import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/**
 * Removes codes that ended an hour ago or longer, with their mails: each has the address of a person without an account.
 * @returns how many were removed
 */
export async function removeOldRevocationCodes(db: Db, most: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    with gone as (
      delete from revocation_codes where id in (
        select id from revocation_codes where expires_at < now() - interval '1 hour'
        order by expires_at limit ${most} for update skip locked)
      returning mail_id
    ), mailed as (
      delete from mails where id in (select mail_id from gone where mail_id is not null)
    )
    select count(*)::int as gone from gone`.execute(db)
  return rows[0]?.gone ?? 0
}

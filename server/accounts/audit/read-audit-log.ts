import { sql } from 'kysely'
import type { AuditRow } from '#core/contract/accounts/audit.ts'
import type { Db } from '#core/data/database.ts'
import { POSITION_FORMAT, type PagePosition } from '#core/data/page.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { ACCOUNT_ACTIONS } from './audit-log.ts'

type Reader = Pick<Principal, 'person_id' | 'account_id' | 'member_role'>

/**
 * A page of the rows about a person, and about the account if they own it, newest first; one row more than `limit` if
 * there is another page. The account has its founder's id: a founder who does not own it any more reads only what is
 * about the person, and another owner nothing of that.
 */
export async function readAuditLog(
  db: Db,
  { person_id: person, account_id: account, member_role }: Reader,
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<Array<AuditRow & { position: string }>> {
  const isOwner = member_role === 'owner'
  const rows = await db
    .selectFrom('auth.audit_log')
    .selectAll()
    .select(sql<string>`to_char(at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`.as('position'))
    .where('user_id', 'in', isOwner ? [...new Set([person, account])] : [person])
    .$if(isOwner && person !== account, (query) =>
      query.where((row) => row.or([row('user_id', '=', person), row('action', 'in', ACCOUNT_ACTIONS)])),
    )
    .$if(!isOwner && person === account, (query) => query.where('action', 'not in', ACCOUNT_ACTIONS))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

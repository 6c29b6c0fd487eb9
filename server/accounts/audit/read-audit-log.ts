import { sql } from 'kysely'
import type { AuditRow } from '#core/contract/accounts/audit.ts'
import type { Db } from '#core/data/database.ts'
import { POSITION_FORMAT, type PagePosition } from '#core/data/page.ts'

/** A page of an account's audit log, newest first; one row more than `limit` if there is another page. */
export async function readAuditLog(
  db: Db,
  userId: string,
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<Array<AuditRow & { position: string }>> {
  const rows = await db
    .selectFrom('auth.audit_log')
    .selectAll()
    .select(sql<string>`to_char(at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`.as('position'))
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

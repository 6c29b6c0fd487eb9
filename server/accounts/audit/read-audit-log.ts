import { sql } from 'kysely'
import type { AuditFilter, AuditRow } from '#core/contract/accounts/audit.ts'
import type { Db } from '#core/data/database.ts'
import { POSITION_FORMAT, type PagePosition } from '#core/data/page.ts'

/** A page of the audit log, newest first; one row more than `limit` if there is another page. */
export async function readAuditLog(
  db: Db,
  filter: AuditFilter,
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<Array<AuditRow & { position: string }>> {
  const rows = await db
    .selectFrom('auth.audit_log')
    .selectAll()
    .select(sql<string>`to_char(at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`.as('position'))
    .$if(filter.user_id !== undefined, (query) => query.where('user_id', '=', filter.user_id ?? null))
    .$if(filter.action !== undefined, (query) => query.where('action', '=', filter.action ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

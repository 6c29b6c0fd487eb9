import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/** Whether a second factor has proven this session within so many minutes. */
export async function hasRecentFactor(db: Db, sessionId: string, minutes: number): Promise<boolean> {
  const { rows } = await sql<{ is_recent: boolean }>`
    select exists (
      select from auth.sessions s cross join lateral jsonb_array_elements(s.amr) proof
      where s.id = ${sessionId} and s.aal = 'aal2' and proof ->> 'method' in ('totp', 'mfa/phone')
        and to_timestamp((proof ->> 'timestamp')::bigint) > now() - make_interval(mins => ${minutes})
    ) as is_recent`.execute(db)
  return rows[0]?.is_recent ?? false
}

import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { Retained } from '../schema/retention-tables.ts'

/** The state of one kind of rows that have a period. */
export interface RetentionState {
  what: Retained
  /** when its oldest row came; null if there is none, and for leads, whose rows stay */
  oldest_at: Date | null
  /** when a removal last came to its end */
  ended_at: Date | null
  /** rows removed in all */
  removed: number
}

/** Reads the first row of each table, and how far each removal has come. */
export async function readRetention(db: Db): Promise<RetentionState[]> {
  const { rows } = await sql<RetentionState>`
    select k.what, k.oldest_at, p.ended_at, coalesce(p.removed, 0)::float8 as removed
    from (values
      ('deliveries', (select created_at from webhook_deliveries order by id limit 1)),
      ('events', (select created_at from events order by id limit 1)),
      ('unsold_leads', null), ('sold_leads', null),
      ('decisions', (select decided_at from assignment_decisions order by lead_id limit 1)),
      ('late_leads', (select judged_at from late_leads where credit = 'none' order by assignment_id limit 1)),
      ('audit_rows', (select at from auth.audit_log order by id limit 1))
    ) k (what, oldest_at) left join retention_progress p on p.what = k.what`.execute(db)
  return rows
}

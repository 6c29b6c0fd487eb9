import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { Retained } from '../schema/retention-tables.ts'

/** Deliveries and events are removed all the time, as docs/operations/retention.md says, and are not told. */
const TOLD: readonly Retained[] = ['unsold_leads', 'sold_leads', 'decisions', 'late_leads', 'audit_rows']

/** Adds one row to the audit log, with counts, if a run removed records or emptied leads. */
export async function recordRun(db: Db, removed: Partial<Record<Retained, number>>): Promise<void> {
  const told = Object.fromEntries(
    TOLD.flatMap((what) => ((removed[what] ?? 0) > 0 ? [[what, removed[what]]] : [])),
  )
  if (Object.keys(told).length === 0) return
  await sql`
    insert into auth.audit_log (action, actor, details)
    values ('old_records_removed', 'nobody', ${JSON.stringify(told)}::jsonb)`.execute(db)
}

import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'
import type { Retained } from '../schema/retention-tables.ts'
import { isDisputed, isOfKind } from './empty-leads.ts'
import type { OldestKept } from './step.ts'

/** The rows of one kind that a removal would take now. */
export interface OldRowsCount {
  rows: number
  /** when the oldest of them came; null if there is none */
  oldest_at: Date | null
}

/** Ids up to which an earlier removal left nothing to do are passed over. */
const isIn = (what: Retained, id: string, oldest: OldestKept): RawBuilder<unknown> => sql`
  (${sql.ref(id)} < ${oldest.id} and ${sql.ref(id)} > coalesce(
    (select reached from retention_progress where what = ${what}), '00000000-0000-0000-0000-000000000000'))`

const isOver = ({ moment }: OldestKept): RawBuilder<unknown> =>
  sql`(d.state in ('delivered', 'failed', 'cancelled') and d.finished_at < ${moment})`

const counting = (time: string): RawBuilder<unknown> =>
  sql`select count(*)::float8 as rows, min(${sql.ref(time)}) as oldest_at`

/** The rows by kind, and the times by which they are old. */
const QUERIES: Readonly<Record<Retained, (oldest: OldestKept) => RawBuilder<unknown>>> = {
  deliveries: (oldest) => sql`
    ${counting('d.created_at')} from webhook_deliveries d
    where ${isIn('deliveries', 'd.id', oldest)} and ${isOver(oldest)}`,
  events: (oldest) => sql`
    ${counting('e.created_at')} from events e
    where ${isIn('events', 'e.id', oldest)} and e.created_at < ${oldest.moment} and e.planned_at is not null and e.type <> 'lead.erased'
      and not exists (select from webhook_deliveries d where d.event_id = e.id and not ${isOver(oldest)})`,
  unsold_leads: (oldest) => countLeads('unsold_leads', oldest),
  sold_leads: (oldest) => countLeads('sold_leads', oldest),
  decisions: (oldest) => sql`
    ${counting('d.decided_at')} from assignment_decisions d
    where ${isIn('decisions', 'd.lead_id', oldest)} and d.decided_at < ${oldest.moment}`,
  late_leads: (oldest) => sql`
    ${counting('k.judged_at')} from late_leads k
    where ${isIn('late_leads', 'k.assignment_id', oldest)} and k.credit = 'none' and k.judged_at < ${oldest.moment}`,
  audit_rows: (oldest) => sql`
    ${counting('l.at')} from auth.audit_log l where ${isIn('audit_rows', 'l.id', oldest)} and l.at < ${oldest.moment}`,
}

function countLeads(kind: 'sold_leads' | 'unsold_leads', oldest: OldestKept): RawBuilder<unknown> {
  return sql`
    ${counting('l.created_at')} from leads l
    where ${isIn(kind, 'l.id', oldest)} and l.created_at < ${oldest.moment} and l.redacted_at is null
      and ${isOfKind(kind)} and not ${isDisputed}`
}

/** Counts the rows of a kind that are older than it is kept; nothing is changed. It reads each of them. */
export async function countOldRows(db: Db, what: Retained, oldest: OldestKept): Promise<OldRowsCount> {
  const { rows } =
    await sql<OldRowsCount>`select rows, oldest_at from (${QUERIES[what](oldest)}) counted`.execute(db)
  return rows[0] ?? { rows: 0, oldest_at: null }
}

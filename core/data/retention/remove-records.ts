import { sql, type Kysely } from 'kysely'
import type { Db } from '../database.ts'
import type { Database } from '../schema/tables.ts'
import type { OldestKept, Step } from './step.ts'

/** Rows of one statement. It takes milliseconds, so that nobody waits for it. */
const BATCH = 1000

/** Removes the reasons why leads were sold or not, of leads that were decided on before a moment. */
export async function removeDecisions(db: Db, after: string, oldest: OldestKept): Promise<Step> {
  const { rows } = await sql<Step>`
    with seen as materialized (
      select lead_id as id from assignment_decisions where lead_id > ${after} and lead_id < ${oldest.id}
      order by lead_id limit ${BATCH}
    ), gone as (
      delete from assignment_decisions where lead_id = any(array(select id from seen)) and decided_at < ${oldest.moment}
      returning lead_id as id
    )
    select (select count(*) from gone)::int as removed, (select id from seen order by id desc limit 1) as last,
      (select id from seen where id not in (select id from gone) order by id limit 1) as waits`.execute(db)
  return rows[0] ?? { removed: 0, last: null, waits: null }
}

/**
 * Removes late leads without a credit, judged before a moment. Credited ones are the reason for an entry of the ledger,
 * and stay with it.
 */
export async function removeLateLeads(db: Db, after: string, oldest: OldestKept): Promise<Step> {
  const { rows } = await sql<Step>`
    with seen as materialized (
      select assignment_id as id, credit from late_leads where assignment_id > ${after} and assignment_id < ${oldest.id}
      order by assignment_id limit ${BATCH}
    ), gone as (
      delete from late_leads where assignment_id = any(array(select id from seen)) and credit = 'none'
        and judged_at < ${oldest.moment} returning assignment_id as id
    )
    select (select count(*) from gone)::int as removed, (select id from seen order by id desc limit 1) as last,
      (select id from seen where credit <> 'credited' and id not in (select id from gone) order by id limit 1) as waits`.execute(
    db,
  )
  return rows[0] ?? { removed: 0, last: null, waits: null }
}

/**
 * Removes rows of the audit log from before a moment. The database refuses it without this transaction's setting, and
 * always for rows of the last year.
 */
export async function removeAuditRows(
  db: Kysely<Database>,
  after: string,
  oldest: OldestKept,
): Promise<Step> {
  return await db.transaction().execute(async (trx) => {
    await sql`select set_config('leadwire.removes_by_age', 'yes', true)`.execute(trx)
    const { rows } = await sql<Step>`
      with seen as materialized (
        select id from auth.audit_log where id > ${after} and id < ${oldest.id} order by id limit ${BATCH}
      ), gone as (
        delete from auth.audit_log where id = any(array(select id from seen)) and at < ${oldest.moment} returning id
      )
      select (select count(*) from gone)::int as removed, (select id from seen order by id desc limit 1) as last,
        (select id from seen where id not in (select id from gone) order by id limit 1) as waits`.execute(trx)
    return rows[0] ?? { removed: 0, last: null, waits: null }
  })
}

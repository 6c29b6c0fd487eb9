import { sql } from 'kysely'
import { memberRolesWith } from '#core/contract/accounts/member-role.ts'
import type { LeadOutcome, OutcomeReport } from '#core/contract/leads/lead-outcome.ts'
import type { Db } from '../database.ts'
import type { Viewer } from './leads.ts'

/** The lead, client and webhook that an address for outcomes names. */
export interface OutcomeOf {
  lead_id: string
  client_user_id: string
  webhook_config_id: string
}

/** An address for outcomes, with the time when it was sent, to the second. */
export interface OutcomeAddress extends OutcomeOf {
  sent_at: Date
}

/** The sale that an address for outcomes belongs to, while outcomes are accepted there. */
export interface OutcomeTarget {
  assignment_id: string
  /** the person whose webhook it is; null: the whole account's */
  member_user_id: string | null
  disposition: string
}

/**
 * Finds what an address leads to: the client's active assignment of the lead. Undefined once the lead was returned,
 * erased or given to somebody else, the webhook is deleted, its person left the account or works no leads any more, or
 * the account is suspended. If the client had the lead before, only addresses that were sent since it got the lead again
 * count. To be asked under the lock of the lead.
 */
export async function findOutcomeTarget(db: Db, of: OutcomeAddress): Promise<OutcomeTarget | undefined> {
  const { rows } = await sql<OutcomeTarget>`
    select a.id as assignment_id, c.member_user_id, a.disposition
    from leads l
    join lead_assignments a on a.lead_id = l.id and a.state = 'active' and a.client_user_id = ${of.client_user_id}
    join client_webhook_configs c on c.id = ${of.webhook_config_id} and c.client_user_id = a.client_user_id
    join profiles p on p.user_id = a.client_user_id and p.status = 'active'
    where l.id = ${of.lead_id} and l.redacted_at is null
      and (c.member_user_id is null or c.member_user_id = l.member_user_id and exists (
        select from account_members m where m.user_id = c.member_user_id and m.account_id = a.client_user_id
          and m.role = any(${memberRolesWith('leads')}::text[])))
      and (date_trunc('second', a.assigned_at) <= ${of.sent_at} or not exists (
        select from lead_assignments past
        where past.lead_id = l.id and past.client_user_id = a.client_user_id and past.state <> 'active'))`.execute(
    db,
  )
  return rows[0]
}

/** The last outcome that a webhook reported for a lead while its client has it, and how many it has reported. */
export interface EarlierOutcomes {
  last: { outcome: string; amount: number | null; note: string | null } | null
  count: number
}

/** Reads them under the lock of the lead. */
export async function readEarlierOutcomes(
  db: Db,
  of: OutcomeOf,
  { assignment_id }: Pick<OutcomeTarget, 'assignment_id'>,
): Promise<EarlierOutcomes> {
  const { rows } = await sql<{ outcome: string; amount: number | null; note: string | null; count: number }>`
    select outcome, amount::float8 as amount, note, count(*) over ()::int as count from lead_outcomes
    where lead_id = ${of.lead_id} and webhook_config_id = ${of.webhook_config_id}
      and assignment_id = ${assignment_id}
    order by id desc limit 1`.execute(db)
  const [last] = rows
  return last === undefined ? { last: null, count: 0 } : { last, count: last.count }
}

/** Stores an outcome, and its event on the timeline of the lead. */
export async function insertOutcome(
  trx: Db,
  { lead_id, client_user_id, webhook_config_id }: OutcomeOf,
  given: { assignment_id: string; report: Pick<OutcomeReport, 'status' | 'amount' | 'note'> },
): Promise<void> {
  const { assignment_id, report } = given
  const data = { assignment_id, webhook_config_id, reason: report.status, amount: report.amount }
  await sql`
    with stored as (
      insert into lead_outcomes (lead_id, assignment_id, client_user_id, webhook_config_id, outcome, amount, note)
      values (${lead_id}, ${assignment_id}, ${client_user_id}, ${webhook_config_id}, ${report.status},
        ${report.amount}::numeric, ${report.note})
    )
    insert into events (type, lead_id, client_user_id, data, enqueued_at, planned_at)
    values ('lead.outcome_received', ${lead_id}, ${client_user_id}, ${JSON.stringify(data)}::jsonb, now(), now())`.execute(
    trx,
  )
}

/** The outcomes of a lead that this viewer holds, newest first; an administrator sees those of every holder. */
export async function listOutcomes(db: Db, viewer: Viewer, leadId: string): Promise<LeadOutcome[]> {
  const isAdmin = viewer.role === 'admin'
  const { rows } = await sql<Omit<LeadOutcome, 'created_at'> & { created_at: Date }>`
    select o.id, o.outcome, o.amount::float8 as amount, o.note, c.webhook_name, o.created_at
    from lead_outcomes o
    left join client_webhook_configs c on c.id = o.webhook_config_id and c.client_user_id = o.client_user_id
    where o.lead_id = ${leadId} and (${isAdmin} or exists (
      select from lead_assignments a join leads l on l.id = a.lead_id
      where a.id = o.assignment_id and a.state = 'active' and a.client_user_id = ${viewer.user_id}
        and (${viewer.member_user_id ?? null}::uuid is null or l.member_user_id = ${viewer.member_user_id ?? null})))
    order by o.id desc limit 50`.execute(db)
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

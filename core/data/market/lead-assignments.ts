import { sql, type RawBuilder } from 'kysely'
import { assignmentResultSchema, type AssignmentResult } from '#core/contract/market/assignment.ts'
import { readStored } from '#core/read-stored.ts'
import type { Db } from '../database.ts'
import { isTheirs, type Viewer } from '../leads/leads.ts'

/** The five parameters of the procedure (docs/product.md §7). */
export interface AssignParameters {
  lead_id_param: string
  lead_type_param: string | null
  lead_state_param: string | null
  lead_phone_param: string | null
  lead_email_param: string | null
}

/**
 * Runs `assign_lead_to_buyer_concurrent`. Idempotent and safe under concurrency; business outcomes are values.
 * @throws the driver's error, also 40P01 and 40001, after which a caller may retry
 */
export async function assignLead(db: Db, given: AssignParameters): Promise<AssignmentResult> {
  const { rows } = await sql<{ result: unknown }>`
    select assign_lead_to_buyer_concurrent(${given.lead_id_param}::uuid, ${given.lead_type_param}::text,
      ${given.lead_state_param}::text, ${given.lead_phone_param}::text, ${given.lead_email_param}::text) as result
  `.execute(db)
  return readStored(assignmentResultSchema, rows[0]?.result, 'the answer of assign_lead_to_buyer_concurrent')
}

/** SQL on an assignment: its lead is the agent's who acts; every lead, for all others. */
function isOwn(viewer: Viewer): RawBuilder<unknown> {
  return viewer.member_user_id === undefined
    ? sql`true`
    : sql`exists (select from leads l where l.id = lead_assignments.lead_id and ${isTheirs(viewer)})`
}

/** Notes that the client opened its lead; the first time, the lead's timeline shows it. */
export async function markViewed(db: Db, viewer: Viewer, leadId: string): Promise<boolean> {
  const { rows } = await sql`
    with viewed as (
      update lead_assignments set first_viewed_at = now()
      where lead_id = ${leadId} and client_user_id = ${viewer.user_id} and state = 'active' and first_viewed_at is null
        and ${isOwn(viewer)}
      returning id, lead_id, client_user_id
    )
    insert into events (type, lead_id, client_user_id, data, enqueued_at, planned_at)
    select 'lead.viewed', lead_id, client_user_id, jsonb_build_object('assignment_id', id), now(), now() from viewed
    returning id
  `.execute(db)
  return rows.length > 0
}

/**
 * Marks leads of a list as read without opening them: their timelines do not show it.
 * @returns how many were unread
 */
export async function markRead(db: Db, viewer: Viewer, leadIds: readonly string[]): Promise<number> {
  const { rows } = await sql`
    update lead_assignments set first_viewed_at = now()
    where id in (
      select id from lead_assignments
      where lead_id = any(${[...leadIds]}::uuid[]) and client_user_id = ${viewer.user_id} and state = 'active'
        and first_viewed_at is null and ${isOwn(viewer)}
      order by id for update)
    returning id`.execute(db)
  return rows.length
}

/**
 * Changes the notes of a lead's holder; the timeline shows that they changed, or the new disposition. Absent fields keep
 * their value.
 * @returns false if the viewer holds no assignment
 */
export async function changeAssignment(
  db: Db,
  viewer: Viewer,
  leadId: string,
  change: { disposition?: string | undefined; notes?: string | null | undefined },
): Promise<boolean> {
  const { notes, disposition } = change
  const { rows } = await sql`
    with before as (
      select id, lead_id, client_user_id, disposition, notes from lead_assignments
      where lead_id = ${leadId} and client_user_id = ${viewer.user_id} and state = 'active' and ${isOwn(viewer)} for no key update
    ), changed as (
      update lead_assignments a set
        notes = case when ${notes !== undefined}::boolean then ${notes ?? null}::text else a.notes end,
        disposition = coalesce(${disposition ?? null}::text, a.disposition),
        disposition_at = case when ${disposition !== undefined}::boolean then now() else a.disposition_at end
      from before where a.id = before.id
      returning a.id
    ), told as (
      insert into events (type, lead_id, client_user_id, data, enqueued_at, planned_at)
      select 'lead.disposition_changed', lead_id, client_user_id,
        jsonb_build_object('assignment_id', id, 'reason', ${disposition ?? null}::text), now(), now()
      from before where disposition is distinct from coalesce(${disposition ?? null}::text, disposition)
      union all
      select 'lead.notes_changed', lead_id, client_user_id, jsonb_build_object('assignment_id', id), now(), now()
      from before where ${notes !== undefined}::boolean and notes is distinct from ${notes ?? null}::text
    )
    select id from changed`.execute(db)
  return rows.length > 0
}

/**
 * Assigns a client's own test lead to it directly, without the procedure: the fallback if the procedure fails
 * (docs/product.md §7). Its event is written with it.
 * @param trx the caller's transaction
 * @returns whether the client holds the lead now
 */
export async function assignTestLead(trx: Db, viewer: Viewer, leadId: string): Promise<boolean> {
  const { rows } = await sql`
    update leads set status = 'assigned', assigned_to = ${viewer.user_id}, assigned_at = now(), price_charged = 0, updated_at = now()
    where id = ${leadId} and is_test and user_id = ${viewer.user_id} and status in ('new', 'unassigned')
    returning id`.execute(trx)
  if (rows.length > 0) {
    await sql`
      select from record_assignments(array[
        row(${leadId}::uuid, 'assigned', null, 'assigned', ${viewer.user_id}::uuid, null, 0)::judged_assignment])`.execute(
      trx,
    )
    return true
  }
  const { rows: held } = await sql`
    select from lead_assignments
    where lead_id = ${leadId} and client_user_id = ${viewer.user_id} and state = 'active'`.execute(trx)
  return held.length > 0
}

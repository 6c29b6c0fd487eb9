import { sql } from 'kysely'
import type { LeadStatus } from '#core/contract/leads/lead.ts'
import type { Db } from '../../database.ts'
import type { EventToEnqueue } from '../../outbox/events.ts'

/** The facts that decide whether a lead may be given to a person of its account. */
export interface GivableLead {
  status: LeadStatus
  member_user_id: string | null
  is_erased: boolean
}

/** Reads them under the lock of the lead. @returns undefined if the account neither holds nor owns it */
export async function readGivable(trx: Db, client: string, leadId: string): Promise<GivableLead | undefined> {
  const { rows } = await sql<GivableLead>`
    select status, member_user_id, redacted_at is not null as is_erased from leads
    where id = ${leadId} and (assigned_to = ${client} or user_id = ${client} and assigned_to is null)`.execute(
    trx,
  )
  return rows[0]
}

/** Names the person whose leads these are, and whose it is to acknowledge a revocation of consent. */
export async function setMember(trx: Db, leadIds: readonly string[], member: string | null): Promise<void> {
  await sql`
    update leads set member_user_id = ${member}, updated_at = now() where id = any(${[...leadIds]}::uuid[])`.execute(
    trx,
  )
  await sql`
    update revocation_holders told set member_user_id = ${member} from leads l
    where l.id = told.lead_id and told.lead_id = any(${[...leadIds]}::uuid[])
      and told.client_user_id = coalesce(l.assigned_to, l.user_id)`.execute(trx)
}

/** The new person has not opened the lead yet. */
export async function markUnread(trx: Db, leadId: string): Promise<void> {
  await sql`
    update lead_assignments set first_viewed_at = null
    where lead_id = ${leadId} and state = 'active' and first_viewed_at is not null`.execute(trx)
}

/**
 * Ends the events of the account's leads that are not planned yet, so that they are never planned by whom a lead
 * belonged to. A planner that has begun is waited for.
 * @returns the leads that the account's shared webhooks did not get yet
 */
export async function endUnplanned(trx: Db, leadIds: readonly string[], client: string): Promise<string[]> {
  const { rows } = await sql<{ lead_id: string }>`
    with ended as (
      update events set planned_at = now(), enqueued_at = coalesce(enqueued_at, now())
      where lead_id = any(${[...leadIds]}::uuid[]) and client_user_id = ${client}
        and type in ('lead.assigned', 'lead.given') and coalesce(planned_at, 'infinity') = 'infinity'
      returning lead_id, type <> 'lead.given' or data ? 'is_first' as is_first
    )
    select distinct lead_id from ended where is_first`.execute(trx)
  return rows.map((row) => row.lead_id)
}

/** Says who gave a lead to whom. `released`: the person who had it left the account. */
export interface Giving {
  lead_id: string
  client: string
  member: string | null
  by: string | null
  note: string | null
  released?: true
}

/**
 * Writes the events by which the persons' webhooks get the leads, and their timelines show the change. A lead whose
 * consent was revoked is sent to nobody again.
 * @param given `is_first`: the account's shared webhooks get the lead too; `was`: the person whose it was until now
 * @returns the events that may make deliveries
 */
export async function writeGiven(
  trx: Db,
  given: readonly (Giving & { is_first: boolean; was: string | null })[],
): Promise<EventToEnqueue[]> {
  const rows = given.map(({ lead_id, client, member, was, by, note, released, is_first }) => ({
    lead_id,
    client,
    is_sent: member !== null || is_first,
    data: {
      member_user_id: member,
      by,
      note,
      ...(was !== null && { was }),
      ...(released && { released }),
      ...(is_first && { is_first }),
    },
  }))
  const written = await sql<EventToEnqueue & { is_sent: boolean }>`
    insert into events (type, lead_id, client_user_id, data, enqueued_at, planned_at)
    select 'lead.given', lead_id, client, data, case when not sent.is_so then now() end, case when not sent.is_so then now() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (lead_id uuid, client uuid, is_sent boolean, data jsonb)
      cross join lateral (select g.is_sent and not exists (
        select from revocation_holders told where told.lead_id = g.lead_id and told.client_user_id = g.client) as is_so) sent
    returning id, type, client_user_id, planned_at is null as is_sent`.execute(trx)
  return written.rows.flatMap(({ is_sent, ...event }) => (is_sent ? event : []))
}

import { sql, type RawBuilder } from 'kysely'
import { CLIENT_EVENTS } from '#core/contract/events.ts'
import { KEPT_FIELDS, LEAD_FIELD_NAMES } from '#core/contract/leads/lead-fields.ts'
import type { LeadErased } from '#core/contract/leads/lead.ts'
import type { Db } from '../database.ts'
import { eraseFilesOfLead } from '../files/erase-files.ts'

/** The columns that stay of a lead: that it came, its source, its client, its price, and that consent was given. */
export const KEPT_LEAD_COLUMNS: readonly string[] = [
  ...KEPT_FIELDS,
  'id',
  'user_id',
  'assigned_to',
  'member_user_id',
  'status',
  'source_id',
  'duplicate_of',
  'order_id',
  'price_charged',
  'consent_revoked_at',
  'assigned_at',
  'expires_at',
  'redacted_at',
  'created_at',
  'updated_at',
]

/** All other columns. */
export const ERASED_LEAD_COLUMNS: readonly string[] = [
  ...LEAD_FIELD_NAMES.filter((name) => !KEPT_FIELDS.includes(name)),
  'phone_raw',
  'idempotency_key',
  'ingest_fingerprint',
  'utm',
  'reject_reason',
  'phone_hash',
  'email_hash',
  'custom',
]

/** The data that an event keeps about an erased lead: which delivery, and its outcome; of a return or revocation, what. */
const KEPT_EVENT_DATA = [
  'assignment_id',
  'delivery_id',
  'webhook_config_id',
  'attempt',
  'reason',
  'outcome',
  'cancelled_by',
  'return_id',
  'credited',
  'revocation_id',
  'revoked_at',
  'reported_by',
]

/** SQL on an event: it is one beside the lead. A client that lost the lead is still told so after an erasure. */
const IS_BESIDE = sql`type = any(${[...CLIENT_EVENTS]}::text[])`

/**
 * Erases a person from everything that is stored, in the caller's transaction; deliveries that are not sent yet are
 * cancelled. The lead's row stays, empty, so that counts, prices and the timeline hold. Safe to run twice. An attempt
 * under way is fenced by its lease: recordAttempts then logs that it was made, without its content.
 * @returns `is_news`: it was not erased before; `freed_bytes`: hashes of bytes that the caller removes from the file store
 * after the commit; undefined if there is no such lead
 */
export async function eraseLead(
  trx: Db,
  leadId: string,
): Promise<(LeadErased & { is_news: boolean; freed_bytes: string[] }) | undefined> {
  const locked = await sql<{ is_erased: boolean }>`
    select redacted_at is not null as is_erased from leads where id = ${leadId} for no key update`.execute(
    trx,
  )
  const lead = locked.rows[0]
  if (lead === undefined) return undefined
  const [erasedAt] = await emptyLeads(trx, [leadId], {
    columns: ERASED_LEAD_COLUMNS,
    status: 'redacted',
  })
  const { cancelled, attempts } = await emptyBeside(trx, [leadId])
  const files = await eraseFilesOfLead(trx, leadId)
  await sql`
    delete from idempotency_keys where resource_id = ${leadId}
      or resource_id in (select id from webhook_deliveries where lead_id = ${leadId})`.execute(trx)
  if (!lead.is_erased) {
    await sql`
      insert into events (type, lead_id, created_at, enqueued_at, planned_at)
      values ('lead.erased', ${leadId}, now(), now(), now())`.execute(trx)
  }
  return {
    is_news: !lead.is_erased,
    freed_bytes: files,
    lead_id: leadId,
    erased_at: erasedAt?.toISOString() ?? '',
    cancelled_deliveries: cancelled,
    erased_attempts: attempts,
    erased_files: files.length,
  }
}

/**
 * Empties these columns of locked leads.
 * @param status undefined: each keeps its own
 * @returns when each was erased
 */
export async function emptyLeads(
  trx: Db,
  ids: readonly string[],
  { columns, status }: { columns: readonly string[]; status?: 'redacted' },
): Promise<Date[]> {
  const emptied = columns.map((column) => sql`${sql.ref(column)} = default`)
  const { rows } = await sql<{ redacted_at: Date }>`
    update leads set ${sql.join(emptied)}, status = ${status === undefined ? sql`status` : sql.lit(status)},
      redacted_at = coalesce(redacted_at, now()), updated_at = now()
    where id = any(${[...ids]}::uuid[]) returning redacted_at`.execute(trx)
  return rows.map(({ redacted_at: at }) => at)
}

/**
 * Erases what other tables hold of the persons of locked leads, files aside, and cancels their open deliveries.
 * @returns the number of cancelled deliveries, and of attempts that had content
 */
export async function emptyBeside(
  trx: Db,
  ids: readonly string[],
): Promise<{ cancelled: number; attempts: number }> {
  const leads = sql`any(${[...ids]}::uuid[])`
  // Each half has an index; none has both.
  await sql`
    update lead_assignments set notes = null
    where (lead_id = ${leads} and state = 'active' or lead_id = ${leads} and state <> 'active') and notes is not null`.execute(
    trx,
  )
  await eraseReturns(trx, leads)
  await sql`update lead_outcomes set note = null where lead_id = ${leads} and note is not null`.execute(trx)
  // Events are locked before deliveries, in the order of planning. So deliveries that are being planned right now are
  // found below, and cancelled.
  await sql`
    update events set
      enqueued_at = case when ${IS_BESIDE} then enqueued_at else coalesce(enqueued_at, now()) end,
      planned_at = case when ${IS_BESIDE} then planned_at else coalesce(planned_at, now()) end,
      data = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(data) where key = any(${KEPT_EVENT_DATA}::text[]))
    where lead_id = ${leads}`.execute(trx)
  const cancelled = await cancelDeliveriesOf(trx, leads)
  // Requests beside the lead name the receiver's ids of it. The log has it under the ids of the events.
  const sent = sql`any(array(
    select unnest(${[...ids]}::uuid[]) union all
    select id from events where lead_id = ${leads} and ${IS_BESIDE}))`
  return { cancelled, attempts: await eraseAttempts(trx, sent) }
}

/** Texts about the person in returns of the leads, and the mails about them. */
async function eraseReturns(trx: Db, leads: RawBuilder<unknown>): Promise<void> {
  await sql`
    with emptied as (
      update lead_returns set note = null, decision_note = null where lead_id = ${leads} returning id, client_user_id
    )
    update mails set data = data || '{"note": null}' from emptied
    where recipient_user_id = emptied.client_user_id and template = 'return_decided' and notice_key = emptied.id::text`.execute(
    trx,
  )
}

async function cancelDeliveriesOf(trx: Db, leads: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with mine as (
      select id, state in ('pending', 'held') as is_open from webhook_deliveries
      where lead_id = ${leads} order by id for update
    ), stopped as (
      update webhook_deliveries d
      set state = case when mine.is_open then 'cancelled' else d.state end,
        next_attempt_at = case when not mine.is_open then d.next_attempt_at end,
        finished_at = coalesce(d.finished_at, now()), lease_token = null, lease_until = null, receiver_id = null
      from mine where d.id = mine.id
      returning d.id, d.lead_id, d.client_user_id, d.webhook_config_id, mine.is_open
    ), told as (
      insert into events (type, lead_id, client_user_id, data, created_at, enqueued_at, planned_at)
      select 'delivery.cancelled', lead_id, client_user_id,
        jsonb_build_object('delivery_id', id, 'webhook_config_id', webhook_config_id, 'reason', 'lead_erased'),
        now(), now(), now()
      from stopped where is_open
    )
    select count(*) filter (where is_open)::int as count from stopped`.execute(trx)
  return rows[0]?.count ?? 0
}

/**
 * The one exception to "log rows are never updated".
 * @returns how many attempts had content
 */
async function eraseAttempts(trx: Db, leads: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ id: string; created_at: string }>`
    select id, created_at::text as created_at from webhook_delivery_logs where lead_id = ${leads}`.execute(
    trx,
  )
  if (rows.length === 0) return 0
  await sql`
    update webhook_delivery_logs set receiver_id = null
    where lead_id = ${leads} and receiver_id is not null`.execute(trx)
  // Both parts of the key are given as values, so that the planner opens only the weekly partitions in which they lie.
  const deleted = await sql`
    delete from webhook_delivery_log_bodies
    where created_at = any(${rows.map((row) => row.created_at)}::timestamptz[])
      and id = any(${rows.map((row) => row.id)}::uuid[])
    returning 1 as gone`.execute(trx)
  return deleted.rows.length
}

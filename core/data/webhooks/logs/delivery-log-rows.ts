import { sql } from 'kysely'
import { RETURNED_LEAD_NAME } from '#core/contract/leads/lead.ts'
import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import { isoTime } from '#core/data/leads/leads.ts'
import { hasEnded } from '#core/data/market/sale/ended-assignments.ts'
import { POSITION_FORMAT } from '#core/data/page.ts'
import { limitWaitedFor } from '../deliveries/rate-limits.ts'
import { isSentAgain } from '../deliveries/resend-deliveries.ts'
import { leadOf } from './told-lead.ts'

/** `sending_hours` are those of its configuration, as stored. */
export type LogRow = Omit<DeliveryLog, 'waits_for_hours'> & {
  webhook_name: string | null
  sending_hours: unknown
  position: string
}

/** The columns that a row of the log shows of an attempt `g`. */
export const ATTEMPT_COLUMNS = sql`
  g.id, g.created_at, g.webhook_config_id, g.client_user_id, g.lead_id, g.delivery_id, g.event_id, g.event_type, g.delivery_status,
  g.response_status, g.attempt_number, g.processing_time_ms, g.error_message, g.error_class, g.outcome, g.receiver_id,
  g.next_attempt_at`
/**
 * The columns that a row of the log shows of a delivery `d` that waits for its first attempt, as in {@link
 * ATTEMPT_COLUMNS}.
 */
export const WAITING_COLUMNS = sql`
  d.id, d.created_at, d.webhook_config_id, d.client_user_id, d.lead_id, d.id as delivery_id, d.event_id, d.event_type,
  'pending' as delivery_status, null::integer as response_status, 1 as attempt_number, null::integer as processing_time_ms,
  null::text as error_message, null::text as error_class, null::text as outcome, null::text as receiver_id,
  d.next_attempt_at`
/**
 * The columns that a row of the log shows of a cancelled delivery `d`, at the time of the cancellation, as in {@link
 * ATTEMPT_COLUMNS}.
 */
export const CANCELLED_COLUMNS = sql`
  d.id, d.finished_at as created_at, d.webhook_config_id, d.client_user_id, d.lead_id, d.id as delivery_id, d.event_id, d.event_type,
  'cancelled' as delivery_status, null::integer as response_status, d.attempt + 1 as attempt_number,
  null::integer as processing_time_ms, null::text as error_message, null::text as error_class,
  null::text as outcome, null::text as receiver_id,
  null::timestamptz as next_attempt_at`
/** The columns that {@link JOINS} add to a row `r`. */
export const JOINED_COLUMNS = sql`
  to_char(r.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position, c.webhook_name, c.sending_hours,
  w.state as delivery_state, case w.state when 'held' then w.offered_until end as offered_until, w.resend_of, coalesce(w.lease_until > now() and w.state <> 'held', false) as is_sending,
  case when w.state = 'pending' and w.next_attempt_at <= now() and not coalesce(w.lease_until > now(), false)
    then ${limitWaitedFor(sql`w.webhook_config_id`)} end as waits_for_rate,
  ${isSentAgain('r', sql`r.delivery_id`)} as is_sent_again,
  exists (select from webhook_deliveries again where again.resend_of = r.delivery_id and again.state <> 'cancelled')
    as is_resent,
  r.delivery_status in ('pending', 'cancelled')
    or coalesce(r.attempt_number >= w.attempt and w.state <> 'cancelled', true) as is_latest,
  -- A retry that was moved forward or given up is told by the delivery, not by what its last attempt had planned.
  case when r.attempt_number = w.attempt and r.delivery_status = 'failed'
    then case w.state when 'pending' then w.next_attempt_at end else r.next_attempt_at end as planned_at,
  case when w.cancelled_by is not null and w.state = 'cancelled' then
    case when w.cancelled_by <> w.client_user_id and exists (
      select from profiles p where p.user_id = w.cancelled_by and p.role = 'admin') then 'administrator' else 'client' end end as cancelled_by,
  -- By the row's own client: its webhook and its delivery may be gone, and the lead another's.
  ${hasEnded(sql`r.lead_id`, sql`r.client_user_id`)} as is_returned,
  ${leadOf('r')} as shown_lead, l.id is not null as has_lead, l.redacted_at is not null as is_erased, l.name as lead_name, l.email::text as lead_email, l.phone as lead_phone`
export const JOINS = sql`
  left join leads l on l.id = r.lead_id left join client_webhook_configs c on c.id = r.webhook_config_id
  left join webhook_deliveries w on w.id = r.delivery_id`

export type JoinedRow = Omit<LogRow, 'created_at' | 'next_attempt_at' | 'offered_until' | 'lead'> & {
  created_at: Date
  /** the client that owns this log */
  client_user_id: string
  offered_until: Date | null
  /** the plan of the attempt's time; `planned_at` is the present one */
  next_attempt_at: Date | null
  planned_at: Date | null
  /** the lead, also of an event beside it; `lead_id` is then the event's id */
  shown_lead: string | null
  has_lead: boolean
  is_erased: boolean
  /** whether the lead was given back by that client, or taken from it */
  is_returned: boolean
  lead_name: string | null
  lead_email: string | null
  lead_phone: string | null
}

/** Converts the row to the form of the API, with its place in the list. */
export function describeLogRow(row: JoinedRow): LogRow {
  return {
    id: row.id,
    webhook_config_id: row.webhook_config_id,
    webhook_name: row.webhook_name,
    lead_id: row.shown_lead,
    delivery_id: row.delivery_id,
    event_id: row.event_id,
    event_type: row.event_type,
    delivery_status: row.delivery_status,
    response_status: row.response_status,
    attempt_number: row.attempt_number,
    processing_time_ms: row.processing_time_ms,
    created_at: row.created_at.toISOString(),
    error_message: row.error_message,
    error_class: row.error_class,
    outcome: row.outcome,
    receiver_id: row.receiver_id,
    next_attempt_at: isoTime(row.planned_at),
    sending_hours: row.sending_hours,
    waits_for_rate: row.is_latest ? row.waits_for_rate : null,
    delivery_state: row.delivery_state,
    offered_until: isoTime(row.offered_until),
    is_latest: row.is_latest,
    is_sending: row.is_sending,
    is_sent_again: row.is_sent_again,
    is_resent: row.is_resent,
    resend_of: row.resend_of,
    cancelled_by: row.cancelled_by,
    lead: row.has_lead ? describeLead(row) : null,
    position: row.position,
  }
}

function describeLead(row: JoinedRow): LogRow['lead'] {
  if (row.is_returned) return { name: RETURNED_LEAD_NAME, email: null, phone: null }
  return { name: row.lead_name, email: row.lead_email, phone: row.lead_phone }
}

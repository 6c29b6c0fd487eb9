import { sql, type RawBuilder } from 'kysely'
import type { AttemptTiming, DeliveryLog, DeliveryLogDetail, LogStatus } from '../contract/delivery.ts'
import type { Db } from './database.ts'
import { logConditions, resolveSearch, type LogFilter } from './log-filter.ts'
import { isoTime } from './leads.ts'
import { POSITION_FORMAT, type PagePosition } from './page.ts'
import type { RelatedAttempts } from './related-attempts.ts'
import { isSentAgain } from './resend-deliveries.ts'

type LogRow = DeliveryLog & { webhook_name: string | null; position: string }

/**
 * A page of attempts, newest first, one row more than `limit` where there is more. A delivery that waits for its first
 * attempt is one `pending` row under its own id (CONTRACT.md §4), and so is one that was cancelled, at the time of that.
 */
export async function listDeliveryLogs(
  db: Db,
  filter: LogFilter,
  page: { limit: number; after: PagePosition | undefined },
): Promise<LogRow[]> {
  const search = await resolveSearch(db, filter)
  const only = (...statuses: LogStatus[]): RawBuilder<unknown> =>
    filter.status === undefined || statuses.includes(filter.status) ? sql`true` : sql`false`
  const newest = sql`order by created_at desc, id desc limit ${page.limit + 1}`
  // The status as a literal: a kept plan for any status could not use the index of failures.
  // An attempt is delivered or failed: for what waits or was stopped its table need not be read.
  const attempted = search.attempts.map(
    (found) => sql`
    (select ${ATTEMPT_COLUMNS} from webhook_delivery_logs g
    where ${logConditions('g', 'created_at', filter, page.after)} and ${found} and ${only('delivered', 'failed')}
      and ${filter.status === undefined ? sql`true` : sql`g.delivery_status = ${sql.lit(filter.status)}`}
    order by g.created_at desc, g.id desc limit ${page.limit + 1})`,
  )
  const waiting = sql`
    select ${WAITING_COLUMNS} from webhook_deliveries d
    where ${logConditions('d', 'created_at', filter, page.after)} and ${search.deliveries}
      and d.state in ('pending', 'held') and d.attempt = 0 and ${only('pending')}
    order by d.created_at desc, d.id desc limit ${page.limit + 1}`
  const cancelled = sql`
    select ${CANCELLED_COLUMNS} from webhook_deliveries d
    where ${logConditions('d', 'finished_at', filter, page.after)} and ${search.deliveries}
      and d.state = 'cancelled' and ${only('cancelled')}
    order by d.finished_at desc, d.id desc limit ${page.limit + 1}`
  const { rows } = await sql<JoinedRow>`
    select r.*, ${JOINED_COLUMNS}
    from (
      -- One attempt may be found both by its lead and by its error.
      select * from ((${sql.join(attempted, sql` union `)}) union all (${waiting}) union all (${cancelled})) found
      ${newest}
    ) r ${JOINS}
    order by r.created_at desc, r.id desc
  `.execute(db)
  return rows.map(describe)
}

/** Where counting stops: an index-only scan of so many entries takes milliseconds. */
export const COUNT_LIMIT = 10_000

/** How many rows the whole log of a configuration has, up to {@link COUNT_LIMIT}, and how many deliveries wait. */
export async function countDeliveryLogs(
  db: Db,
  client: string,
  webhookConfigId: string,
): Promise<{ logs: number; waiting: number }> {
  const { rows } = await sql<{ logs: number; waiting: number }>`
    select (
      select count(*)::int from (
        (select 1 from webhook_delivery_logs where webhook_config_id = ${webhookConfigId} limit ${COUNT_LIMIT})
        union all
        (select 1 from webhook_deliveries
          where webhook_config_id = ${webhookConfigId} and state in ('pending', 'held') and attempt = 0
          limit ${COUNT_LIMIT})
        union all
        (select 1 from webhook_deliveries
          where webhook_config_id = ${webhookConfigId} and state = 'cancelled' limit ${COUNT_LIMIT})
        limit ${COUNT_LIMIT}
      ) logs
    ) as logs, (
      select count(*)::int from (
        select 1 from webhook_deliveries
        where webhook_config_id = ${webhookConfigId} and client_user_id = ${client} and state in ('pending', 'held')
        limit ${COUNT_LIMIT}
      ) waiting
    ) as waiting
  `.execute(db)
  return rows[0] ?? { logs: 0, waiting: 0 }
}

type DetailRow = JoinedRow & {
  request_url: string | null
  request_method: string | null
  request_headers: string | null
  request_body: string | null
  response_headers: string | null
  response_body: string | null
  response_truncated: boolean
  timing: string | null
  remote_address: string | null
}

/**
 * The last attempt of a delivery. Until its first attempt a delivery is shown under its own id, and whoever has that on
 * screen goes on asking for it.
 */
async function findLastAttempt(
  db: Db,
  client: string | undefined,
  deliveryId: string,
): ReturnType<typeof findDeliveryLog> {
  const { rows } = await sql<{ id: string }>`
    select g.id from webhook_deliveries d
    join webhook_delivery_logs g on g.lead_id = d.lead_id and g.delivery_id = d.id
    where d.id = ${deliveryId} and ${client === undefined ? sql`true` : sql`d.client_user_id = ${client}`}
    order by g.created_at desc, g.id desc limit 1
  `.execute(db)
  return rows[0] === undefined ? undefined : await findDeliveryLog(db, client, rows[0].id)
}

/** One attempt whole, or a delivery that waits for its first. `client` undefined: an administrator looks. */
export async function findDeliveryLog(
  db: Db,
  client: string | undefined,
  id: string,
): Promise<Omit<DeliveryLogDetail, 'max_attempts' | 'bodies_kept_days' | keyof RelatedAttempts> | undefined> {
  const whose = (column: string): RawBuilder<unknown> =>
    client === undefined ? sql`true` : sql`${sql.ref(column)} = ${client}`
  // The log's key begins with the time and the id holds it, so that each look stays in one week. Ids of attempts that
  // earlier versions logged are younger than their time by as long as the exchange took.
  const at = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) / 1000
  const read = async (marginSeconds: number): Promise<DetailRow[]> => {
    const during = (alias: 'g' | 'b'): RawBuilder<unknown> => sql`
      ${sql.ref(`${alias}.created_at`)} between to_timestamp(${at - marginSeconds}) and to_timestamp(${at + marginSeconds})`
    return (
      await sql<DetailRow>`
        select r.*, ${JOINED_COLUMNS}
        from (
          select ${ATTEMPT_COLUMNS}, g.request_url, g.request_method, b.request_headers, b.request_body,
            b.response_headers, b.response_body, g.response_truncated, g.timing, g.remote_address
          from webhook_delivery_logs g
          left join webhook_delivery_log_bodies b on b.created_at = g.created_at and b.id = g.id and ${during('b')}
          where g.id = ${id} and ${during('g')} and ${whose('g.client_user_id')}
          union all
          select ${WAITING_COLUMNS}, ${NO_EXCHANGE} from webhook_deliveries d
          where d.id = ${id} and d.state in ('pending', 'held') and d.attempt = 0 and ${whose('d.client_user_id')}
          union all
          select ${CANCELLED_COLUMNS}, ${NO_EXCHANGE} from webhook_deliveries d
          where d.id = ${id} and d.state = 'cancelled' and ${whose('d.client_user_id')}
        ) r ${JOINS}`.execute(db)
    ).rows
  }
  const row = (await read(0.002))[0] ?? (await read(300))[0]
  if (row === undefined) return await findLastAttempt(db, client, id)
  const { position: _position, ...log } = describe(row)
  return { ...log, ...describeExchange(row) }
}

const ATTEMPT_COLUMNS = sql`
  g.id, g.created_at, g.webhook_config_id, g.lead_id, g.delivery_id, g.event_id, g.event_type, g.delivery_status,
  g.response_status, g.attempt_number, g.processing_time_ms, g.error_message, g.error_class, g.outcome, g.receiver_id,
  g.next_attempt_at`
const WAITING_COLUMNS = sql`
  d.id, d.created_at, d.webhook_config_id, d.lead_id, d.id as delivery_id, d.event_id, d.event_type,
  'pending' as delivery_status, null::integer as response_status, 1 as attempt_number, null::integer as processing_time_ms,
  null::text as error_message, null::text as error_class, null::text as outcome, null::text as receiver_id,
  d.next_attempt_at`
const CANCELLED_COLUMNS = sql`
  d.id, d.finished_at as created_at, d.webhook_config_id, d.lead_id, d.id as delivery_id, d.event_id, d.event_type,
  'cancelled' as delivery_status, null::integer as response_status, d.attempt + 1 as attempt_number,
  null::integer as processing_time_ms, null::text as error_message, null::text as error_class,
  null::text as outcome, null::text as receiver_id,
  null::timestamptz as next_attempt_at`
const NO_EXCHANGE = sql`null, null, null, null, null, null, false, null, null`
const JOINED_COLUMNS = sql`
  to_char(r.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position, c.webhook_name,
  w.state as delivery_state, w.resend_of, coalesce(w.lease_until > now() and w.state <> 'held', false) as is_sending,
  ${isSentAgain('r', sql`r.delivery_id`)} as is_sent_again,
  r.delivery_status in ('pending', 'cancelled')
    or coalesce(r.attempt_number >= w.attempt and w.state <> 'cancelled', true) as is_latest,
  -- A retry that was moved forward or given up is told by the delivery, not by what its last attempt had planned.
  case when r.attempt_number = w.attempt and r.delivery_status = 'failed'
    then case w.state when 'pending' then w.next_attempt_at end else r.next_attempt_at end as planned_at,
  case when w.cancelled_by is not null and w.state = 'cancelled' then
    case when w.cancelled_by = w.client_user_id then 'client' else 'administrator' end end as cancelled_by,
  l.id is not null as has_lead, l.redacted_at is not null as is_erased, l.name as lead_name, l.email::text as lead_email, l.phone as lead_phone`
const JOINS = sql`
  left join leads l on l.id = r.lead_id left join client_webhook_configs c on c.id = r.webhook_config_id
  left join webhook_deliveries w on w.id = r.delivery_id`

type JoinedRow = Omit<LogRow, 'created_at' | 'next_attempt_at' | 'lead'> & {
  created_at: Date
  planned_at: Date | null
  has_lead: boolean
  is_erased: boolean
  lead_name: string | null
  lead_email: string | null
  lead_phone: string | null
}

function describe(row: JoinedRow): LogRow {
  return {
    id: row.id,
    webhook_config_id: row.webhook_config_id,
    webhook_name: row.webhook_name,
    lead_id: row.lead_id,
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
    delivery_state: row.delivery_state,
    is_latest: row.is_latest,
    is_sending: row.is_sending,
    is_sent_again: row.is_sent_again,
    resend_of: row.resend_of,
    cancelled_by: row.cancelled_by,
    lead: row.has_lead ? { name: row.lead_name, email: row.lead_email, phone: row.lead_phone } : null,
    position: row.position,
  }
}

function describeExchange(
  row: DetailRow,
): Pick<DeliveryLogDetail, 'bodies' | 'request' | 'response' | 'timing' | 'remote_address'> {
  const parse = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T))
  const { request_url: url, request_headers: headers, remote_address } = row
  const timing = parse<AttemptTiming>(row.timing)
  if (url === null) return { bodies: 'none', request: null, response: null, timing, remote_address }
  if (headers === null) {
    return {
      bodies: row.is_erased ? 'erased' : 'expired',
      request: null,
      response: null,
      timing,
      remote_address,
    }
  }
  return {
    bodies: 'kept',
    request: {
      url,
      method: row.request_method ?? '',
      headers: parse<Record<string, string>>(headers) ?? {},
      body: row.request_body ?? '',
    },
    response:
      row.response_status === null
        ? null
        : {
            status: row.response_status,
            headers: parse<Record<string, string>>(row.response_headers) ?? {},
            body: row.response_body ?? '',
            body_truncated: row.response_truncated,
          },
    timing,
    remote_address,
  }
}

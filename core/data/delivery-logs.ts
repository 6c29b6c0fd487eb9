import { sql, type RawBuilder } from 'kysely'
import type { DeliveryLog, DeliveryLogDetail, LogStatus } from '../contract/delivery.ts'
import type { Db } from './database.ts'
import { isoTime } from './leads.ts'
import { POSITION_FORMAT, type PagePosition } from './page.ts'

type LogRow = DeliveryLog & { webhook_name: string | null; position: string }

/** Whose and which attempts. `client` undefined: everybody's, for an administrator. */
export interface LogFilter {
  client: string | undefined
  webhook_config_id?: string
  lead_id?: string
  status?: LogStatus | undefined
}

/**
 * A page of attempts, newest first, one row more than `limit` where there is more. A delivery that waits for its first
 * attempt is one `pending` row under its own id (CONTRACT.md §4).
 */
export async function listDeliveryLogs(
  db: Db,
  filter: LogFilter,
  page: { limit: number; after: PagePosition | undefined },
): Promise<LogRow[]> {
  const shared = (alias: 'g' | 'd'): RawBuilder<unknown> => {
    const row = (name: string): RawBuilder<unknown> => sql.ref(name)
    const conditions: RawBuilder<unknown>[] = [sql`true`]
    if (filter.client !== undefined)
      conditions.push(sql`${row(`${alias}.client_user_id`)} = ${filter.client}`)
    if (filter.webhook_config_id !== undefined) {
      conditions.push(sql`${row(`${alias}.webhook_config_id`)} = ${filter.webhook_config_id}`)
    }
    if (filter.lead_id !== undefined) conditions.push(sql`${row(`${alias}.lead_id`)} = ${filter.lead_id}`)
    if (page.after !== undefined) {
      conditions.push(
        sql`(${row(`${alias}.created_at`)}, ${row(`${alias}.id`)}) < (${page.after.at}::timestamptz, ${page.after.id}::uuid)`,
      )
    }
    return sql`${sql.join(conditions, sql` and `)}`
  }
  const attempted = sql`
    select ${ATTEMPT_COLUMNS} from webhook_delivery_logs g
    where ${shared('g')} and ${filter.status === undefined ? sql`true` : sql`g.delivery_status = ${filter.status}`}
    order by g.created_at desc, g.id desc limit ${page.limit + 1}`
  const waiting = sql`
    select ${WAITING_COLUMNS} from webhook_deliveries d
    where ${shared('d')} and d.state in ('pending', 'held') and d.attempt = 0
      and ${filter.status === undefined || filter.status === 'pending'}
    order by d.created_at desc, d.id desc limit ${page.limit + 1}`
  const { rows } = await sql<JoinedRow>`
    select r.*, ${JOINED_COLUMNS}
    from (
      select * from ((${attempted}) union all (${waiting})) found
      order by created_at desc, id desc limit ${page.limit + 1}
    ) r ${JOINS}
    order by r.created_at desc, r.id desc
  `.execute(db)
  return rows.map(describe)
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

/** One attempt whole, or a delivery that waits for its first. `client` undefined: an administrator looks. */
export async function findDeliveryLog(
  db: Db,
  client: string | undefined,
  id: string,
): Promise<Omit<DeliveryLogDetail, 'max_attempts'> | undefined> {
  const whose = (column: string): RawBuilder<unknown> =>
    client === undefined ? sql`true` : sql`${sql.ref(column)} = ${client}`
  const read = async (during: RawBuilder<unknown>): Promise<DetailRow[]> =>
    (
      await sql<DetailRow>`
        select r.*, ${JOINED_COLUMNS}
        from (
          select ${ATTEMPT_COLUMNS}, g.request_url, g.request_method, g.request_headers, g.request_body,
            g.response_headers, g.response_body, g.response_truncated, g.timing, g.remote_address
          from webhook_delivery_logs g where g.id = ${id} and ${during} and ${whose('g.client_user_id')}
          union all
          select ${WAITING_COLUMNS}, null, null, null, null, null, null, false, null, null
          from webhook_deliveries d
          where d.id = ${id} and d.state in ('pending', 'held') and d.attempt = 0 and ${whose('d.client_user_id')}
        ) r ${JOINS}`.execute(db)
    ).rows
  // The log's key begins with the time, and the id holds it in milliseconds: the first look stays in one partition.
  const at = sql`to_timestamp(${Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) / 1000})`
  const soon = await read(
    sql`g.created_at between ${at} - interval '5 minutes' and ${at} + interval '5 minutes'`,
  )
  const row = (soon.length > 0 ? soon : await read(sql`true`))[0]
  if (row === undefined) return undefined
  const { position: _position, ...log } = describe(row)
  return { ...log, ...describeExchange(row) }
}

const ATTEMPT_COLUMNS = sql`
  g.id, g.created_at, g.webhook_config_id, g.lead_id, g.delivery_id, g.event_id, g.event_type, g.delivery_status,
  g.response_status, g.attempt_number, g.processing_time_ms, g.error_message, g.error_class, g.next_attempt_at`
const WAITING_COLUMNS = sql`
  d.id, d.created_at, d.webhook_config_id, d.lead_id, d.id as delivery_id, d.event_id, d.event_type,
  'pending' as delivery_status, null::integer as response_status, 1 as attempt_number, null::integer as processing_time_ms,
  null::text as error_message, null::text as error_class, d.next_attempt_at`
const JOINED_COLUMNS = sql`
  to_char(r.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position, c.webhook_name,
  l.id is not null as has_lead, l.name as lead_name, l.email::text as lead_email, l.phone as lead_phone`
const JOINS = sql`
  left join leads l on l.id = r.lead_id left join client_webhook_configs c on c.id = r.webhook_config_id`

type JoinedRow = Omit<LogRow, 'created_at' | 'next_attempt_at' | 'lead'> & {
  created_at: Date
  next_attempt_at: Date | null
  has_lead: boolean
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
    next_attempt_at: isoTime(row.next_attempt_at),
    lead: row.has_lead ? { name: row.lead_name, email: row.lead_email, phone: row.lead_phone } : null,
    position: row.position,
  }
}

function describeExchange(
  row: DetailRow,
): Pick<DeliveryLogDetail, 'request' | 'response' | 'timing' | 'remote_address'> {
  const parse = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T))
  return {
    request:
      row.request_url === null
        ? null
        : {
            url: row.request_url,
            method: row.request_method ?? '',
            headers: parse<Record<string, string>>(row.request_headers) ?? {},
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
    timing: parse(row.timing),
    remote_address: row.remote_address,
  }
}

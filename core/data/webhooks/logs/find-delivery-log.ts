import { sql, type RawBuilder } from 'kysely'
import {
  attemptTimingSchema,
  exchangeHeadersSchema,
  type DeliveryLogDetail,
} from '#core/contract/webhooks/delivery.ts'
import { readStoredJson } from '#core/read-stored.ts'
import type { Db } from '#core/data/database.ts'
import {
  ATTEMPT_COLUMNS,
  CANCELLED_COLUMNS,
  describeLogRow,
  JOINED_COLUMNS,
  JOINS,
  WAITING_COLUMNS,
  type JoinedRow,
} from './delivery-log-rows.ts'
import { findEarlierAttempt, findLastAttempt } from './find-attempt.ts'
import type { RelatedAttempts } from './related-attempts.ts'

/** Ids hold milliseconds, times microseconds. */
const CUT_SECONDS = 0.002
const NO_EXCHANGE = sql`null, null, null, null, null, null, null, false, null, null`

type DetailRow = JoinedRow & {
  request_url: string | null
  filled_url: string | null
  request_method: string | null
  request_headers: string | null
  request_body: string | null
  response_headers: string | null
  response_body: string | null
  response_truncated: boolean
  timing: string | null
  remote_address: string | null
}

type FoundLog = Omit<
  DeliveryLogDetail,
  'max_attempts' | 'bodies_kept_days' | 'waits_for_hours' | keyof RelatedAttempts
> &
  Pick<JoinedRow, 'sending_hours'>

/** Reads one whole attempt, or a delivery that waits for its first. `client` undefined: for an administrator. */
export async function findDeliveryLog(
  db: Db,
  client: string | undefined,
  id: string,
): Promise<FoundLog | undefined> {
  // The log's key begins with the time and the id contains it, so only one week is opened.
  const named = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) / 1000
  const row = await readLog(db, client, id, named)
  if (row !== undefined) return describeLog(row)
  const last = await findLastAttempt(db, client, id)
  if (last !== undefined) return await findDeliveryLog(db, client, last)
  const earlier = await findEarlierAttempt(db, id, named)
  const moved = earlier === undefined ? undefined : await readLog(db, client, id, earlier)
  return moved === undefined ? undefined : describeLog(moved)
}

/** @param at in seconds; only the week of rows that are logged for this moment is opened */
async function readLog(
  db: Db,
  client: string | undefined,
  id: string,
  at: number,
): Promise<DetailRow | undefined> {
  const whose = (column: string): RawBuilder<unknown> =>
    client === undefined ? sql`true` : sql`${sql.ref(column)} = ${client}`
  const during = (alias: 'g' | 'b'): RawBuilder<unknown> => sql`
    ${sql.ref(`${alias}.created_at`)} between to_timestamp(${at - CUT_SECONDS}) and to_timestamp(${at + CUT_SECONDS})`
  const { rows } = await sql<DetailRow>`
    select r.*, ${JOINED_COLUMNS}
    from (
      select ${ATTEMPT_COLUMNS}, g.request_url, b.filled_url, g.request_method, b.request_headers, b.request_body,
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
  return rows[0]
}

function describeLog(row: DetailRow): FoundLog {
  const { position: _position, ...log } = describeLogRow(row)
  return { ...log, ...describeExchange(row) }
}

function describeExchange(
  row: DetailRow,
): Pick<DeliveryLogDetail, 'bodies' | 'request' | 'response' | 'timing' | 'remote_address'> {
  const { request_url: url, request_headers: headers, remote_address } = row
  const timing =
    row.timing === null ? null : readStoredJson(attemptTimingSchema, row.timing, 'the timing of an attempt')
  if (row.is_returned) return { bodies: 'returned', request: null, response: null, timing, remote_address }
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
      url: row.filled_url ?? url,
      method: row.request_method ?? '',
      headers: readHeaders(headers),
      body: row.request_body ?? '',
    },
    response:
      row.response_status === null
        ? null
        : {
            status: row.response_status,
            headers: readHeaders(row.response_headers),
            body: row.response_body ?? '',
            body_truncated: row.response_truncated,
          },
    timing,
    remote_address,
  }
}

function readHeaders(stored: string | null): Record<string, string> {
  return stored === null ? {} : readStoredJson(exchangeHeadersSchema, stored, 'the headers of an attempt')
}

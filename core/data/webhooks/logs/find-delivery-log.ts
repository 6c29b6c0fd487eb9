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
import type { RelatedAttempts } from './related-attempts.ts'

const NO_EXCHANGE = sql`null, null, null, null, null, null, false, null, null`

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
  const { position: _position, ...log } = describeLogRow(row)
  return { ...log, ...describeExchange(row) }
}

function describeExchange(
  row: DetailRow,
): Pick<DeliveryLogDetail, 'bodies' | 'request' | 'response' | 'timing' | 'remote_address'> {
  const { request_url: url, request_headers: headers, remote_address } = row
  const timing =
    row.timing === null ? null : readStoredJson(attemptTimingSchema, row.timing, 'the timing of an attempt')
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

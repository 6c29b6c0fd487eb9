import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { deliverySpan } from './delivery-span.ts'

/** Limit by which an attempt's id may be younger than its time if an earlier version logged it. */
const LONGEST_EXCHANGE_SECONDS = 300

/**
 * Finds the last attempt of a delivery. Until its first attempt a delivery is shown under its own id, and screens that
 * show that id continue to request it.
 */
export async function findLastAttempt(
  db: Db,
  client: string | undefined,
  deliveryId: string,
): Promise<string | undefined> {
  const { rows: deliveries } = await sql<{ lead_id: string; created_at: Date; finished_at: Date | null }>`
    select lead_id, created_at, finished_at from webhook_deliveries
    where id = ${deliveryId} and ${client === undefined ? sql`true` : sql`client_user_id = ${client}`}
  `.execute(db)
  const [delivery] = deliveries
  if (delivery === undefined) return undefined
  const { since, until } = deliverySpan(deliveries)
  const { rows } = await sql<{ id: string }>`
    select id from webhook_delivery_logs
    where lead_id = ${delivery.lead_id} and delivery_id = ${deliveryId}
      and created_at >= ${since} and created_at < ${until}
    order by created_at desc, id desc limit 1
  `.execute(db)
  return rows[0]?.id
}

/**
 * The time of an attempt that an earlier version logged: its id is younger by the length of the exchange. It is read
 * from the key alone, because there is hardly ever such an attempt.
 */
export async function findEarlierAttempt(db: Db, id: string, at: number): Promise<number | undefined> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from webhook_delivery_logs
    where id = ${id} and created_at between to_timestamp(${at - LONGEST_EXCHANGE_SECONDS}) and to_timestamp(${at})
  `.execute(db)
  return rows[0] === undefined ? undefined : rows[0].created_at.getTime() / 1000
}

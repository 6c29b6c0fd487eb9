import { sql } from 'kysely'
import type { DeliveryLogDetail, RelatedAttempt } from '#core/contract/webhooks/delivery.ts'
import type { Db } from '#core/data/database.ts'

/** What surrounds one row of the log: the rows of its delivery, and the deliveries that repeat or were repeated by it. */
export type RelatedAttempts = Pick<DeliveryLogDetail, 'attempts' | 'resent_from' | 'resent_as'>

const RESENDS_SHOWN = 20

/** Reads by the log's index on the lead, so that no delivery's rows are looked for in every partition's heap. */
export async function findRelatedAttempts(
  db: Db,
  log: { delivery_id: string; lead_id: string; resend_of: string | null },
): Promise<RelatedAttempts> {
  const { rows } = await sql<Omit<RelatedAttempt, 'created_at'> & { created_at: Date; is_last: boolean }>`
    with family as (
      select d.id, d.state, d.attempt, d.created_at, d.finished_at from webhook_deliveries d
      where d.id in (${log.delivery_id}::uuid, ${log.resend_of}::uuid)
      union all
      (select d.id, d.state, d.attempt, d.created_at, d.finished_at from webhook_deliveries d
        where d.resend_of = ${log.delivery_id} order by d.id desc limit ${RESENDS_SHOWN})
    ), found as (
      select g.id, g.delivery_id, g.delivery_status, g.response_status, g.error_class, g.attempt_number, g.created_at
      from webhook_delivery_logs g
      where g.lead_id = ${log.lead_id} and g.delivery_id in (select id from family union select ${log.delivery_id}::uuid)
      union all
      select f.id, f.id, 'pending', null, null, 1, f.created_at from family f
      where f.state in ('pending', 'held') and f.attempt = 0
      union all
      select f.id, f.id, 'cancelled', null, null, f.attempt + 1, f.finished_at from family f where f.state = 'cancelled'
    )
    select *, row_number() over (partition by delivery_id order by created_at desc, id desc) = 1 as is_last
    from found order by created_at, id
  `.execute(db)
  const related = rows.map(({ is_last, ...row }) => ({
    isLast: is_last,
    row: { ...row, created_at: row.created_at.toISOString() },
  }))
  const last = related.filter(({ isLast }) => isLast).map(({ row }) => row)
  return {
    attempts: related.map(({ row }) => row).filter((row) => row.delivery_id === log.delivery_id),
    resent_from: last.find((row) => row.delivery_id === log.resend_of) ?? null,
    resent_as: last
      .filter((row) => row.delivery_id !== log.delivery_id && row.delivery_id !== log.resend_of)
      .toReversed(),
  }
}

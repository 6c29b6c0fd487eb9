import { sql } from 'kysely'
import type { DeliveryLogDetail, DeliveryState, RelatedAttempt } from '#core/contract/webhooks/delivery.ts'
import type { Db } from '#core/data/database.ts'
import { deliverySpan } from './delivery-span.ts'

/**
 * The context of one row of the log: the rows of its delivery, and the deliveries that repeat it or that it repeats.
 */
export type RelatedAttempts = Pick<DeliveryLogDetail, 'attempts' | 'resent_from' | 'resent_as'>

const RESENDS_SHOWN = 20

interface Relative {
  id: string
  state: DeliveryState
  attempt: number
  created_at: Date
  finished_at: Date | null
}

/** An attempt, or the row of a delivery without one. */
type Found = Omit<RelatedAttempt, 'created_at'> & { created_at: Date }

/** Reads by the log's index on the lead, in the weeks in which these deliveries existed. */
export async function findRelatedAttempts(
  db: Db,
  log: { delivery_id: string; lead_id: string; resend_of: string | null },
): Promise<RelatedAttempts> {
  const { rows: family } = await sql<Relative>`
    select d.id, d.state, d.attempt, d.created_at, d.finished_at from webhook_deliveries d
    where d.id in (${log.delivery_id}::uuid, ${log.resend_of}::uuid)
    union all
    (select d.id, d.state, d.attempt, d.created_at, d.finished_at from webhook_deliveries d
      where d.resend_of = ${log.delivery_id} order by d.id desc limit ${RESENDS_SHOWN})
  `.execute(db)
  const ids = [...new Set([log.delivery_id, ...family.map(({ id }) => id)])]
  // If a delivery was deleted with its webhook, it is unknown when it existed.
  const span = family.some(({ id }) => id === log.delivery_id) ? deliverySpan(family) : undefined
  const { rows: attempts } = await sql<Found>`
    select id, delivery_id, delivery_status, response_status, error_class, attempt_number, created_at
    from webhook_delivery_logs
    where lead_id = ${log.lead_id} and delivery_id = any(${ids}::uuid[])
      and ${span === undefined ? sql`true` : sql`created_at >= ${span.since} and created_at < ${span.until}`}
  `.execute(db)
  const rows = [...attempts, ...family.flatMap(describeUnattempted)]
    .toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1))
    .map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
  const last = [...new Map(rows.map((row) => [row.delivery_id, row])).values()]
  return {
    attempts: rows.filter((row) => row.delivery_id === log.delivery_id),
    resent_from: last.find((row) => row.delivery_id === log.resend_of) ?? null,
    resent_as: rows
      .filter((row) => last.includes(row))
      .filter((row) => row.delivery_id !== log.delivery_id && row.delivery_id !== log.resend_of)
      .toReversed(),
  }
}

/** Describes a delivery that waits for its first attempt, or was cancelled, as the list of attempts shows it. */
function describeUnattempted({ id, state, attempt, created_at, finished_at }: Relative): Found[] {
  const row = { id, delivery_id: id, response_status: null, error_class: null }
  if (state === 'cancelled' && finished_at !== null)
    return [{ ...row, delivery_status: state, attempt_number: attempt + 1, created_at: finished_at }]
  if ((state === 'pending' || state === 'held') && attempt === 0)
    return [{ ...row, delivery_status: 'pending', attempt_number: 1, created_at }]
  return []
}

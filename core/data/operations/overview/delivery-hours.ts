import { sql } from 'kysely'
import type { DeliverySum } from '#core/domain/webhooks/delivery-health.ts'
import type { Db } from '../../database.ts'
import { binOf, isNear, isWithin, type Span } from './near-ids.ts'

/** A {@link DeliverySum} and the beginning of its part of the span, in milliseconds. */
export interface DeliveryPart extends DeliverySum {
  at: number
}

/** Lengths are rounded to steps of about 5 %, so that few rows are left, and hours can be added up. */
const STEPS = sql.lit(20)

/** Counts the deliveries that were planned in a span, by parts of so many minutes, from the rows themselves. */
export async function countDeliveries(db: Db, span: Span, minutes: number): Promise<DeliveryPart[]> {
  const { rows } = await sql<DeliveryPart>`
    /* planned for its values */ select (extract(epoch from bin) * 1000)::float8 as at,
      round(exp(step::float8 / ${STEPS}))::int as ms, deliveries, first
    from (
      select ${binOf('created_at', minutes)} as bin,
        case state when 'delivered' then round(${STEPS} * ln(greatest(1,
          date_part('epoch', finished_at - created_at) * 1000)))::int end as step,
        count(*)::int as deliveries, count(*) filter (where state = 'delivered' and attempt = 1)::int as first
      from webhook_deliveries
      where ${isNear('id', span)} and ${isWithin('created_at', span)} and state <> 'cancelled' and resend_of is null
      group by 1, 2
    ) counted`.execute(db)
  return rows
}

/** When the delivery that has been due longest without a worker was due; null if none waits. */
export async function readOldestDue(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ due: Date }>`
    select next_attempt_at as due from webhook_deliveries
    where state = 'pending' and next_attempt_at <= now() and (lease_until is null or lease_until < now())
    order by next_attempt_at limit 1`.execute(db)
  return rows[0]?.due ?? null
}

import { sql, type RawBuilder } from 'kysely'
import type { LeadDeliveryCounts, LeadSummary } from '#core/contract/leads/lead.ts'
import type { ErrorClass } from '#core/contract/webhooks/delivery.ts'

/** A request that could not be made at all. */
const OURS: ErrorClass = 'internal_error'

/** What {@link deliveriesOfLead} makes. */
export interface StoredDeliveries {
  status: LeadSummary['delivery_status']
  counts: LeadDeliveryCounts
}

/**
 * SQL: where the deliveries of the lead `l` stand, as jsonb.
 * @param client whose deliveries; undefined for everybody's
 */
export function deliveriesOfLead(client: string | undefined): RawBuilder<StoredDeliveries> {
  const isSeen = (table: 'd' | 'e') =>
    client === undefined ? sql`true` : sql`${sql.ref(`${table}.client_user_id`)} = ${client}`
  const count = (which: RawBuilder<unknown>) => sql`count(*) filter (where ${which})`
  return sql<StoredDeliveries>`
    select jsonb_build_object(
      'status', case when bool_or(one.state = 'failed') then 'failed'
        when bool_or(one.state in ('pending', 'held')) then 'pending'
        when bool_or(one.state = 'delivered') then 'delivered' end,
      'counts', jsonb_build_object(
        'delivered', ${count(sql`one.state = 'delivered'`)}, 'failed', ${count(sql`one.state = 'failed'`)},
        'held', ${count(sql`one.state = 'held'`)},
        'retrying', ${count(sql`one.state = 'pending' and one.was_tried`)},
        'waiting', ${count(sql`one.state = 'pending' and not one.was_tried`)},
        'cancelled', ${count(sql`one.state = 'cancelled'`)}, 'sent', ${count(sql`one.was_sent`)}))
    from (
      (
        -- The newest of each (configuration, event): a resend replaces what failed before it, unless it was cancelled.
        select distinct on (d.webhook_config_id, d.event_id) d.state, d.attempt > 0 as was_tried,
          d.attempt > 0 and d.failure_class is distinct from ${sql.lit(OURS)} as was_sent
        from webhook_deliveries d where d.lead_id = l.id and ${isSeen('d')}
        order by d.webhook_config_id, d.event_id, d.state = 'cancelled', d.created_at desc, d.id desc
      )
      union all
      (
        -- What a webhook took stays delivered when the webhook is deleted, and its deliveries with it.
        select distinct on (e.data ->> 'webhook_config_id') 'delivered', true, true
        from events e
        where e.lead_id = l.id and e.type = 'delivery.succeeded' and ${isSeen('e')} and not exists (
          select from webhook_deliveries d
          where d.lead_id = l.id and d.webhook_config_id::text = e.data ->> 'webhook_config_id')
      )
    ) one`
}

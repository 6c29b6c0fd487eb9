import { sql, type RawBuilder } from 'kysely'
import { IS_SET_ASIDE } from '../webhooks/deliveries/offered-deliveries.ts'
import type { LeadDeliveryCounts, LeadSummary } from '#core/contract/leads/lead.ts'

/**
 * SQL on `d`: part of a request has been sent to its endpoint, answered or not. An attempt that found no connection, or
 * whose address was refused, has sent nothing. The log's times are cut to milliseconds, hence the margin.
 */
const WAS_SENT = sql`d.attempt > 0 and (d.state = 'delivered' or exists (
  select from webhook_delivery_logs g
  where g.lead_id = d.lead_id and g.delivery_id = d.id and g.created_at >= d.created_at - interval '1 second'
    and (g.remote_address is not null or g.response_status is not null)))`

/** SQL: the configuration is the agent's own, or shared. */
export function isSharedOr(configId: RawBuilder<unknown>, member: string): RawBuilder<unknown> {
  return sql`exists (
    select from client_webhook_configs seen
    where seen.id = ${configId} and coalesce(seen.member_user_id, ${member}) = ${member})`
}

/** The result of {@link deliveriesOfLead}. */
export interface StoredDeliveries {
  status: LeadSummary['delivery_status']
  counts: LeadDeliveryCounts
}

/**
 * SQL: the status of the deliveries of the lead `l`, as jsonb.
 * @param client the client whose deliveries are read; undefined for all clients
 * @param member the agent who reads: only own and shared webhooks
 */
export function deliveriesOfLead(client: string | undefined, member?: string): RawBuilder<StoredDeliveries> {
  const isSeen = (table: 'd' | 'e') =>
    client === undefined ? sql`true` : sql`${sql.ref(`${table}.client_user_id`)} = ${client}`
  const isShown = member === undefined ? sql`true` : isSharedOr(sql`d.webhook_config_id`, member)
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
      select found.*, bool_and(found.is_set_aside) over () as are_all_set_aside from (
      (
        -- The newest of each (configuration, event): a resend replaces what failed before it, unless it was cancelled.
        select distinct on (d.webhook_config_id, d.event_id) d.state, d.attempt > 0 as was_tried, ${WAS_SENT} as was_sent,
          ${IS_SET_ASIDE} as is_set_aside
        from webhook_deliveries d where d.lead_id = l.id and ${isSeen('d')} and ${isShown}
        order by d.webhook_config_id, d.event_id, d.state = 'cancelled', d.created_at desc, d.id desc
      )
      union all
      (
        -- A lead stays delivered when the webhook that took it is deleted, and its deliveries with it.
        select distinct on (e.data ->> 'webhook_config_id') 'delivered', true, true, false
        from events e
        where e.lead_id = l.id and e.type = 'delivery.succeeded' and ${isSeen('e')} and not exists (
          select from webhook_deliveries d
          where d.lead_id = l.id and d.webhook_config_id::text = e.data ->> 'webhook_config_id')
      )
      ) found
    ) one where not one.is_set_aside or one.are_all_set_aside`
}

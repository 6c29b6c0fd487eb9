import { sql } from 'kysely'
import { WAITING_COUNTED } from '#core/contract/webhooks/endpoint-health.ts'
import { IS_OFFERED } from '#core/data/webhooks/deliveries/offered-deliveries.ts'
import type { Db } from '#core/data/database.ts'

/** More configurations than anybody compares side by side. */
const SHOWN = 1000

/** The health of one configuration's endpoint, as it is stored. */
export interface EndpointHealthRow {
  webhook_config_id: string
  webhook_name: string
  endpoint_url: string
  is_active: boolean
  disabled_reason: string | null
  disabled_at: Date | null
  sending_pause_reason: string | null
  failures_in_row: number
  failing_since: Date | null
  last_attempt_at: Date | null
  last_success_at: Date | null
  last_status: number | null
  last_error_class: string | null
  last_error_message: string | null
  breaker: 'closed' | 'open'
  probe_at: Date | null
  warned_at: Date | null
  /** deliveries that failed for good since {@link failing_since}, at most one is counted */
  lost_in_row: number
  /** deliveries that failed for good in the last 24 hours and were not sent again; counted up to {@link WAITING_COUNTED} */
  lost: number
  /** number of those waiting deliveries that have had an attempt */
  tried: number
  /** number of leads of the last 24 hours that did not fit its conditions; up to {@link WAITING_COUNTED} are read */
  skipped: number
  /** counted up to {@link WAITING_COUNTED} + 1 */
  waiting: number
  /** those of them that were planned while the webhook was off; with the same limit */
  offered: number
  /** those of the last 24 hours that had an attempt */
  hours: Array<{ hour: string; delivered: number; failed: number; latency: number[] }>
  /** the database's clock */
  now: Date
}

/** Reads the endpoints of the owner, newest first, or only one of them, or only one person's; in one statement. */
export async function readEndpointHealth(
  db: Db,
  owner: string,
  only?: string,
  member?: string,
): Promise<EndpointHealthRow[]> {
  const { rows } = await sql<EndpointHealthRow>`
    with skipped as materialized (
      select data ->> 'webhook_config_id' as webhook_config_id, count(*)::int as leads from (
        select data from events
        where client_user_id = ${owner} and type = 'delivery.skipped' and created_at > now() - interval '24 hours'
        order by created_at desc limit ${WAITING_COUNTED}) counted
      group by 1
    )
    select c.id as webhook_config_id, c.webhook_name, c.endpoint_url, c.is_active,
      c.disabled_reason, c.disabled_at, c.sending_pause_reason, coalesce(h.failures_in_row, 0) as failures_in_row, h.failing_since, h.last_attempt_at, h.last_success_at,
      h.last_status, h.last_error_class, h.last_error_message, coalesce(h.breaker, 'closed') as breaker, h.probe_at,
      h.warned_at, now() as now, coalesce(open.waiting, 0) as waiting, offered.count as offered, coalesce(open.tried, 0) as tried,
      coalesce((select leads from skipped where skipped.webhook_config_id = c.id::text), 0) as skipped,
      (exists (
        select from webhook_deliveries d
        where d.webhook_config_id = c.id and d.state = 'failed' and d.finished_at >= h.failing_since))::int as lost_in_row, (
        select count(*)::int from (
          select from webhook_deliveries d
          where d.webhook_config_id = c.id and d.state = 'failed' and d.finished_at >= date_trunc('hour', now()) - interval '23 hours'
            and not exists (select from webhook_deliveries o where o.resend_of = d.id and o.state <> 'cancelled')
          limit ${WAITING_COUNTED}) counted) as lost,
      coalesce((
        select jsonb_agg(jsonb_build_object('hour', o.hour, 'delivered', o.delivered, 'failed', o.failed,
          'latency', o.latency))
        from webhook_endpoint_hours o
        where o.webhook_config_id = c.id and o.hour > date_trunc('hour', now()) - interval '24 hours'), '[]') as hours
    from client_webhook_configs c left join webhook_endpoint_health h on h.webhook_config_id = c.id
    left join lateral (
      select count(*)::int as waiting, count(*) filter (where attempt > 0)::int as tried from (
        select d.attempt from webhook_deliveries d
        where d.webhook_config_id = c.id and d.state in ('pending', 'held') limit ${WAITING_COUNTED + 1}) counted
      ) open on true
    cross join lateral (
      select count(*)::int as count from (
        select from webhook_deliveries d where d.webhook_config_id = c.id and ${IS_OFFERED} limit ${WAITING_COUNTED + 1}) counted
      ) offered
    where c.client_user_id = ${owner} and (${only ?? null}::uuid is null or c.id = ${only ?? null})
      and (${member ?? null}::uuid is null or c.member_user_id = ${member ?? null})
    order by c.created_at desc, c.id desc limit ${SHOWN}
  `.execute(db)
  return rows
}

/**
 * Clears an endpoint's failures, because its configuration was switched on again: earlier failures count neither for a
 * warning nor for switching off.
 * @param isTested whether it has just answered a test, so that its breaker closes too
 */
export async function forgetFailures(trx: Db, webhookConfigId: string, isTested: boolean): Promise<void> {
  await sql`
    update webhook_endpoint_health
    set failures_in_row = 0, failing_since = null, warned_at = null, updated_at = now()
    where webhook_config_id = ${webhookConfigId}`.execute(trx)
  if (!isTested) return
  await sql`
    update webhook_endpoint_health
    set breaker = 'closed', unanswered_in_row = 0, probes = 0, probe_at = null, probe_delivery_id = null,
      releasing_since = now()
    where webhook_config_id = ${webhookConfigId} and breaker = 'open'`.execute(trx)
}

/**
 * Ends a row of failures, because the endpoint has just accepted a test: its waiting deliveries are sent, and show
 * whether it works again. If a warning was mailed, a mail takes it back.
 */
export async function endFailures(db: Db, webhookConfigId: string): Promise<void> {
  await sql`
    update webhook_endpoint_health
    set failures_in_row = 0, failing_since = null, updated_at = now(), breaker = 'closed', unanswered_in_row = 0,
      probes = 0, probe_at = null, probe_delivery_id = null,
      releasing_since = case breaker when 'open' then now() else releasing_since end
    where webhook_config_id = ${webhookConfigId} and (failures_in_row > 0 or breaker = 'open')`.execute(db)
}

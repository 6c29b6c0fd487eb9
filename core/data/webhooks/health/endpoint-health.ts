import { sql } from 'kysely'
import type { BreakerRule } from '#core/domain/webhooks/breaker.ts'
import type { Db } from '#core/data/database.ts'

/** What a worker saw of one endpoint since it last told, in the order in which it was recorded. */
export interface EndpointTally {
  webhook_config_id: string
  /** ISO time of the hour → attempts that ended in it; `latency` by core/domain/webhooks/latency.ts */
  hours: Array<{ hour: string; delivered: number; failed: number; latency: number[] }>
  /** any attempt was delivered: what went before is forgotten */
  succeeded: boolean
  /** failed attempts after the last that was delivered, and when the first of them was made */
  failures: number
  first_failure_at: string | null
  /** any attempt had a usable answer (core/domain/webhooks/breaker.ts) */
  answered: boolean
  /** attempts without one after the last that had one */
  unanswered: number
  /** the breaker's probe was among those without */
  probe_failed: boolean
  last_attempt_at: string
  last_success_at: string | null
  last_status: number | null
  last_error_class: string | null
  last_error_message: string | null
}

/** What changed with an endpoint's breaker. */
export interface BreakerChange {
  webhook_config_id: string
  breaker: 'open' | 'closed'
}

/**
 * Adds what was seen to the hours and the health of endpoints, and moves their breakers: one without a usable answer
 * so many times in a row opens; any usable answer closes it. Not safe to run twice: a tally is told once.
 * @returns the breakers that opened or closed
 */
export async function recordTallies(
  db: Db,
  tallies: readonly EndpointTally[],
  rule: BreakerRule,
): Promise<BreakerChange[]> {
  if (tallies.length === 0) return []
  const given = JSON.stringify(tallies)
  return await db.transaction().execute(async (trx) => {
    // In one order, so that two workers never wait for each other in a ring. A deleted configuration is left out.
    await sql`
      insert into webhook_endpoint_health (webhook_config_id)
      select c.id from client_webhook_configs c
      join jsonb_to_recordset(${given}::jsonb) as t (webhook_config_id uuid) on t.webhook_config_id = c.id
      order by c.id for key share of c
      on conflict do nothing`.execute(trx)
    await sql`
      insert into webhook_endpoint_hours as known (webhook_config_id, hour, delivered, failed, latency)
      select t.webhook_config_id, h.hour, h.delivered, h.failed, h.latency
      from jsonb_to_recordset(${given}::jsonb) as t (webhook_config_id uuid, hours jsonb)
      join webhook_endpoint_health e on e.webhook_config_id = t.webhook_config_id
      cross join jsonb_to_recordset(t.hours) as h (hour timestamptz, delivered int, failed int, latency int[])
      order by t.webhook_config_id, h.hour
      on conflict (webhook_config_id, hour) do update
      set delivered = known.delivered + excluded.delivered, failed = known.failed + excluded.failed,
        latency = (select array_agg(coalesce(a, 0) + coalesce(b, 0) order by step)
          from unnest(known.latency, excluded.latency) with ordinality as s (a, b, step))`.execute(trx)
    const { rows } = await sql<BreakerChange>`
      with seen as (
        select * from jsonb_to_recordset(${given}::jsonb) as t (webhook_config_id uuid, succeeded boolean, failures int,
          first_failure_at timestamptz, answered boolean, unanswered int, probe_failed boolean,
          last_attempt_at timestamptz, last_success_at timestamptz, last_status int, last_error_class text,
          last_error_message text)
      ), before as (
        select h.webhook_config_id, h.breaker,
          case when s.answered then s.unanswered else h.unanswered_in_row + s.unanswered end as unanswered_in_row
        from webhook_endpoint_health h join seen s using (webhook_config_id)
        order by h.webhook_config_id for update of h
      ), after as (
        select *, case when unanswered_in_row >= ${rule.opensAfter} then 'open'
          when (select answered from seen s where s.webhook_config_id = before.webhook_config_id) then 'closed'
          else breaker end as now_is
        from before
      ), changed as (
        update webhook_endpoint_health h
        set failures_in_row = case when s.succeeded then s.failures else h.failures_in_row + s.failures end,
          failing_since = case when s.succeeded then s.first_failure_at
            else coalesce(h.failing_since, s.first_failure_at) end,
          last_attempt_at = greatest(h.last_attempt_at, s.last_attempt_at),
          last_success_at = greatest(h.last_success_at, s.last_success_at),
          last_status = s.last_status, last_error_class = s.last_error_class, last_error_message = s.last_error_message,
          unanswered_in_row = a.unanswered_in_row, breaker = a.now_is,
          opened_at = case when a.breaker = 'closed' and a.now_is = 'open' then now() else h.opened_at end,
          releasing_since = case when a.now_is = 'open' then null when a.breaker = 'open' then now()
            else h.releasing_since end,
          probes = case when a.breaker <> a.now_is then 0 when s.probe_failed then h.probes + 1 else h.probes end,
          probe_delivery_id = case when a.now_is = 'closed' or s.probe_failed then null else h.probe_delivery_id end,
          probe_at = case when a.now_is = 'closed' then null
            when a.breaker = 'closed' then now() + make_interval(secs => ${rule.firstProbeSeconds})
            when s.probe_failed then now() + make_interval(secs => (0.8 + 0.4 * random())
              * least(${rule.longestProbeSeconds}, ${rule.firstProbeSeconds} * 2 ^ least(h.probes + 1, 20)))
            else h.probe_at end,
          updated_at = now()
        from after a join seen s using (webhook_config_id)
        where h.webhook_config_id = a.webhook_config_id
        returning h.webhook_config_id, h.breaker, a.breaker as was
      )
      select webhook_config_id, breaker from changed where breaker <> was
    `.execute(trx)
    return rows
  })
}

import { sql, type RawBuilder } from 'kysely'
import type { BreakerRule } from '#core/domain/webhooks/breaker.ts'
import type { Db } from '#core/data/database.ts'

/** A worker's observations of one endpoint since its last report. Times are ISO; each is the end of an exchange. */
export interface EndpointTally {
  webhook_config_id: string
  /** ISO time of the hour → attempts that ended in it; `latency` by core/domain/webhooks/latency.ts */
  hours: Array<{ hour: string; delivered: number; failed: number; latency: number[] }>
  /** time of the attempt that ended last, and its result */
  last_attempt_at: string
  last_status: number | null
  last_error_class: string | null
  last_error_message: string | null
  last_success_at: string | null
  /** failed attempts after that success */
  failed_at: string[]
  /** time of the last attempt that had a usable answer (core/domain/webhooks/breaker.ts) */
  last_answer_at: string | null
  /** attempts without one after that */
  unanswered_at: string[]
  /** time at which the breaker's probe got no usable answer */
  probe_failed_at: string | null
  /** time at which it could not be sent because of its content: another delivery must be the probe */
  probe_unsent_at: string | null
}

/** One report of a worker. The same number of the same worker always has the same content, and counts once. */
export interface Telling {
  teller: string
  /** 1, 2, 3, …: the next report is sent when the one before is known to have arrived */
  number: number
  tallies: readonly EndpointTally[]
}

/** A change of an endpoint's breaker. */
export interface BreakerChange {
  webhook_config_id: string
  breaker: 'open' | 'closed'
}

/** SQL: those of these times of a tally `s` that are after a moment, which may be null. */
const listAfter = (
  times: 'failed_at' | 'unanswered_at',
  moment: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  array(select one from unnest(${sql.ref(`s.${times}`)}) one where one > coalesce(${moment}, '-infinity') order by one)`

/**
 * Adds observations to the hours and the health of endpoints, and moves their breakers. A breaker opens after
 * `rule.opensAfter` attempts in a row without a usable answer, and closes after a usable answer. What counts is when an
 * exchange ended, not when it is reported. So an attempt that ended before the last success does not count in the row
 * of failures after it. One that ended before the last answer does not count in the row of unanswered attempts. Neither
 * changes the last result. Safe to run twice: the sums and the report's number are committed together.
 * @returns the breakers that opened or closed
 */
export async function recordTallies(
  db: Db,
  { teller, number, tallies }: Telling,
  rule: BreakerRule,
): Promise<BreakerChange[]> {
  if (tallies.length === 0) return []
  const given = JSON.stringify(tallies)
  return await db.transaction().execute(async (trx) => {
    if (!(await isFirstTelling(trx, teller, number))) return []
    await addMissingEndpoints(trx, given)
    await addToHours(trx, given)
    return await moveBreakers(trx, given, rule)
  })
}

/** Notes the number of a report. A repeated report waits here until the outcome of the first one is known. */
async function isFirstTelling(trx: Db, teller: string, number: Telling['number']): Promise<boolean> {
  const { rows } = await sql`
    insert into webhook_outcome_tellers as known (id, told) values (${teller}, ${number})
    on conflict (id) do update set told = excluded.told, told_at = now() where known.told < excluded.told
    returning id`.execute(trx)
  return rows.length > 0
}

/** Rows are locked in one order, so that two workers cannot deadlock. A deleted configuration is left out. */
async function addMissingEndpoints(trx: Db, given: string): Promise<void> {
  await sql`
    insert into webhook_endpoint_health (webhook_config_id)
    select c.id from client_webhook_configs c
    join jsonb_to_recordset(${given}::jsonb) as t (webhook_config_id uuid) on t.webhook_config_id = c.id
    order by c.id for key share of c
    on conflict do nothing`.execute(trx)
}

async function addToHours(trx: Db, given: string): Promise<void> {
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
}

async function moveBreakers(trx: Db, given: string, rule: BreakerRule): Promise<BreakerChange[]> {
  const { rows } = await sql<BreakerChange>`
    with seen as (
      select * from jsonb_to_recordset(${given}::jsonb) as t (webhook_config_id uuid, last_attempt_at timestamptz,
        last_status int, last_error_class text, last_error_message text, last_success_at timestamptz,
        failed_at timestamptz[], last_answer_at timestamptz, unanswered_at timestamptz[], probe_failed_at timestamptz,
        probe_unsent_at timestamptz)
    ), before as (
      select h.webhook_config_id, h.breaker,
        coalesce(s.last_attempt_at >= h.last_attempt_at, true) as is_last,
        -- A row that began after this success or answer goes on.
        case when s.last_success_at is null or s.last_success_at < h.failing_since then h.failures_in_row
          -- Later failures that are known already cannot be told from earlier ones, except the last.
          when h.last_attempt_at > s.last_success_at and h.last_error_class is not null then 1 else 0 end as failures,
        case when s.last_success_at is null or s.last_success_at < h.failing_since then h.failing_since
          when h.last_attempt_at > s.last_success_at and h.last_error_class is not null then h.last_attempt_at
          end as failing_since,
        ${listAfter('failed_at', sql`greatest(h.last_success_at, s.last_success_at)`)} as failed_at,
        case when s.last_answer_at is null or s.last_answer_at < h.unanswered_since then h.unanswered_in_row
          else 0 end as unanswered,
        s.last_answer_at is not null and (s.last_answer_at < h.unanswered_since) is not true as is_answered,
        ${listAfter('unanswered_at', sql`greatest(h.last_answer_at, s.last_answer_at)`)} as unanswered_at,
        coalesce(s.probe_failed_at > coalesce(greatest(h.last_answer_at, s.last_answer_at), '-infinity'), false)
          as probe_failed,
        s.probe_unsent_at is not null and s.probe_failed_at is null as probe_unsent
      from webhook_endpoint_health h join seen s using (webhook_config_id)
      order by h.webhook_config_id for update of h
    ), after as (
      select *, unanswered + cardinality(unanswered_at) as unanswered_in_row,
        case when unanswered + cardinality(unanswered_at) >= ${rule.opensAfter} then 'open'
          when is_answered then 'closed' else breaker end as now_is
      from before
    ), changed as (
      update webhook_endpoint_health h
      set failures_in_row = a.failures + cardinality(a.failed_at),
        failing_since = least(a.failing_since, a.failed_at[1]),
        last_attempt_at = greatest(h.last_attempt_at, s.last_attempt_at),
        last_success_at = greatest(h.last_success_at, s.last_success_at),
        last_answer_at = greatest(h.last_answer_at, s.last_answer_at),
        last_status = case when a.is_last then s.last_status else h.last_status end,
        last_error_class = case when a.is_last then s.last_error_class else h.last_error_class end,
        last_error_message = case when a.is_last then s.last_error_message else h.last_error_message end,
        unanswered_in_row = a.unanswered_in_row,
        unanswered_since = case when a.unanswered = 0 then a.unanswered_at[1]
          else least(h.unanswered_since, a.unanswered_at[1]) end,
        breaker = a.now_is,
        opened_at = case when a.breaker = 'closed' and a.now_is = 'open' then now() else h.opened_at end,
        releasing_since = case when a.now_is = 'open' then null when a.breaker = 'open' then now()
          else h.releasing_since end,
        probes = case when a.breaker <> a.now_is then 0 when a.probe_failed then h.probes + 1 else h.probes end,
        probe_delivery_id = case when a.now_is = 'closed' or a.probe_failed or a.probe_unsent then null
          else h.probe_delivery_id end,
        probe_at = case when a.now_is = 'closed' then null
          when a.breaker = 'closed' then now() + make_interval(secs => ${rule.firstProbeSeconds})
          when a.probe_failed then now() + make_interval(secs => (0.8 + 0.4 * random())
            * least(${rule.longestProbeSeconds}, ${rule.firstProbeSeconds} * 2 ^ least(h.probes + 1, 20)))
          when a.probe_unsent then now() else h.probe_at end,
        updated_at = now()
      from after a join seen s using (webhook_config_id)
      where h.webhook_config_id = a.webhook_config_id
      returning h.webhook_config_id, h.breaker, a.breaker as was
    )
    select webhook_config_id, breaker from changed where breaker <> was
  `.execute(trx)
  return rows
}

import { sql } from 'kysely'
import type { LeadTimes } from '#core/domain/market/late/measure-late-lead.ts'
import type { Db } from '../../database.ts'

/** More leads of one source within a second are a burst, if they had a lower priority (core/fairness/limits.ts). */
const BURST = 50
/** The log is searched this long before a sale and after now, because the clocks behind its times may differ. */
const MARGIN = sql.lit('1 hour')

/** SQL on a lead `l`: its source was importing when it came. With a lower priority, it is a lead of the import. */
export const CAME_IN_IMPORT = sql<boolean>`exists (select from lead_imports i where i.source_id = l.source_id
  and i.started_at <= l.created_at and coalesce(i.finished_at, now()) >= l.created_at)`

/** A sold lead whose first attempt may have begun late, with its times. */
export interface LateStart extends LeadTimes {
  event_id: string
  assignment_id: string
  lead_id: string
  client_user_id: string
  /** of the first attempt */
  webhook_config_id: string
  lead_type: string
  price: string
  is_test: boolean
  is_held: boolean
  is_client_erased: boolean
  is_credited: boolean
}

/** Takes the oldest notes that are due, until the end of the transaction. @returns their events */
export async function takeLateStarts(trx: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from late_starts where check_at <= now() order by check_at limit ${limit} for update skip locked`.execute(
    trx,
  )
  return [...new Set(rows.map(({ event_id: id }) => id))]
}

export async function forgetLateStarts(trx: Db, events: readonly string[]): Promise<void> {
  await sql`delete from late_starts where event_id = any(${[...events]}::uuid[])`.execute(trx)
}

/**
 * Reads the sales of these events with the times of their first attempts: of all attempts in the log, the first to any
 * of the client's webhooks. A sale that was judged before is left out, and so is an event that is no sale.
 */
export async function readLateStarts(trx: Db, events: readonly string[]): Promise<LateStart[]> {
  const { rows } = await sql<LateStart>`
    select e.id as event_id, a.id as assignment_id, a.lead_id, a.client_user_id, d.webhook_config_id, l.lead_type, a.price, l.is_test,
      a.state = 'active' as is_held, u.deleted_at is not null as is_client_erased, t.late_credit and a.assigned_at >= coalesce(t.late_credit_since, '-infinity') as is_credited,
      l.created_at as received_at, a.assigned_at as sold_at, d.created_at as planned_at, first.created_at as begun_at,
      coalesce(n.due_at, d.created_at) as due_at,
      (select min(o.created_at) from events o where o.lead_id = l.id and o.type = 'lead.offered' and o.created_at <= a.assigned_at) as offered_at,
      (select min(o.created_at) from events o where o.lead_id = l.id and o.type = 'lead.unassigned' and o.created_at <= a.assigned_at) as refused_at,
      exists (select from lead_assignments b where b.lead_id = a.lead_id and b.state <> 'active' and b.id <> a.id
        and b.assigned_at <= a.assigned_at) as is_resold,
      d.turn > 0 and (
        ${CAME_IN_IMPORT}
        or (select count(*) from leads b where b.source_id = l.source_id and b.id >= ${idAt(sql`l.created_at - interval '5 seconds'`)}
          and b.id < ${idAt(sql`l.created_at + interval '5 seconds'`)} and b.created_at > l.created_at - interval '500 milliseconds'
          and b.created_at < l.created_at + interval '500 milliseconds') > ${BURST}) as is_bulk,
      exists (select from clock_jumps j where j.ended_at >= l.created_at and j.began_at <= greatest(first.created_at, a.assigned_at)) as has_jump
    from events e
    join lead_assignments a on a.lead_id = e.lead_id and a.client_user_id = e.client_user_id
    join leads l on l.id = a.lead_id
    join lead_types t on t.code = l.lead_type
    join auth.users u on u.id = a.client_user_id
    cross join lateral (
      select min(s.begun_at) as earliest, max(s.begun_at) as latest from late_starts s where s.event_id = e.id) noted
    cross join lateral (
      select g.delivery_id, g.created_at
      from attempts_of_leads(array[e.lead_id], least(a.assigned_at, noted.earliest) - ${MARGIN}::interval,
        greatest(now(), noted.latest) + ${MARGIN}::interval) g
      where g.event_id = e.id and g.client_user_id = e.client_user_id and g.attempt_number = 1
      order by g.created_at limit 1) first
    join webhook_deliveries d on d.id = first.delivery_id
    left join late_starts n on n.delivery_id = first.delivery_id
    where e.id = any(${[...events]}::uuid[]) and e.type = 'lead.assigned' and d.resend_of is null
      and a.id::text = coalesce(e.data ->> 'assignment_id', a.id::text)
      and not exists (select from late_leads k where k.assignment_id = a.id)`.execute(trx)
  return rows
}

/** SQL: the lowest uuid of version 7 of a moment (RFC 9562 §5.7). */
function idAt(moment: ReturnType<typeof sql>) {
  return sql`(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid`
}

/** A request of a client, in milliseconds. */
export interface RequestSpan {
  client_user_id: string
  endpoint: string
  from: number
  to: number
  /** whether the endpoint lately asked for less, or did not answer, and so gets fewer requests at a time */
  is_strained: boolean
}

/** More requests of one client than this are left out: by then the lead waited for long. */
const MOST_REQUESTS = 20_000
/** An endpoint that showed strain gets more requests at a time only after it has answered some (worker/dispatch). */
const STRAINED_FOR = sql.lit('1 hour')

/** The requests of clients that were under way in a span of time. */
export async function readRequests(
  trx: Db,
  clients: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<RequestSpan[]> {
  const { rows } = await sql<RequestSpan>`
    select c.client_user_id, c.id as endpoint, (extract(epoch from g.created_at) * 1000)::float8 as "from",
      (extract(epoch from g.created_at) * 1000)::float8 + coalesce(g.processing_time_ms, 0) as "to", strain.is_strained
    from client_webhook_configs c cross join lateral (
      select exists (select from webhook_delivery_logs s
        where s.webhook_config_id = c.id and s.created_at >= ${from}::timestamptz - ${STRAINED_FOR}::interval and s.created_at <= ${to}
          and (s.response_status is null or s.response_status in (429, 503))) as is_strained
    ) strain cross join lateral (
      select g.created_at, g.processing_time_ms from webhook_delivery_logs g
      where g.webhook_config_id = c.id and g.created_at >= ${from}::timestamptz - interval '2 minutes' and g.created_at <= ${to}
      order by g.created_at desc, g.id desc limit ${MOST_REQUESTS}) g
    where c.client_user_id = any(${[...clients]}::uuid[])`.execute(trx)
  return rows
}

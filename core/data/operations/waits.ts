import { sql, type Kysely } from 'kysely'
import { WAITING_CLIENTS, WAITS_COUNTED } from '#core/contract/operations/waits.ts'
import { sendingHoursSchema } from '#core/contract/webhooks/sending-hours.ts'
import type { Line, LineUnderWay } from '#core/domain/webhooks/explain-lines.ts'
import { clientName } from '../accounts/named-client.ts'
import type { Database } from '../schema/tables.ts'
import { IS_OFFERED } from '../webhooks/deliveries/offered-deliveries.ts'
import { NEXT_TOKEN_AT } from '../webhooks/deliveries/rate-limits.ts'
import { inOrder } from '../in-order.ts'
import { FRONTS, inLine, LATER, LINES_OF_ALL, linesOf, tallyDue } from './waiting-lines.ts'

/**
 * Number of deliveries read at each endpoint, however many endpoints share the limit of counting: slightly more than
 * may be in flight there.
 */
const LEAST_OF_LINE = 60
/** Limit of counting held deliveries of all clients. */
const HELD_COUNTED = 10_000

/** Totals of waiting deliveries, by PostgreSQL's clock. */
export interface WaitTotals {
  now: Date
  /** clients with something due, and those among them with something due that no worker has */
  busy_clients: number
  waiting_clients: number
  /** due time of the delivery that waits longest and has not begun; null if none waits */
  oldest_due: Date | null
  /**
   * held deliveries, each counted up to {@link HELD_COUNTED}: webhook switched off; endpoint silent; offered to the
   * owner
   */
  held_off: number
  held_paused: number
  held_broken: number
  offered: number
}

/** Reads the totals. It costs a few index steps for each endpoint with something pending. */
export async function readWaitTotals(db: Kysely<Database>): Promise<WaitTotals> {
  const { rows } = await inOrder(db, (trx) =>
    sql<WaitTotals>`
    with recursive ${LINES_OF_ALL}, ${FRONTS}, held as (
      select c.is_active, c.sending_pause_reason is not null as is_paused from (
        select webhook_config_id from webhook_deliveries where state = 'held' and offered_until is null limit ${HELD_COUNTED}) d
      join client_webhook_configs c on c.id = d.webhook_config_id
    )
    select now() as now,
      count(distinct client_user_id) filter (where due is not null or is_busy)::int as busy_clients,
      count(distinct client_user_id) filter (where due is not null)::int as waiting_clients, min(due) as oldest_due,
      (select count(*)::int from held where not is_active) as held_off,
      (select count(*)::int from held where is_active and is_paused) as held_paused,
      (select count(*)::int from held where is_active and not is_paused) as held_broken, (select count(*)::int from (
        select from webhook_deliveries d where ${IS_OFFERED} limit ${HELD_COUNTED}) counted) as offered
    from fronts
  `.execute(trx),
  )
  const [row] = rows
  if (row === undefined) throw new Error('A count answered no row')
  return row
}

/** A client's waiting deliveries, and those under way. */
export interface WaitingClientRow {
  client_user_id: string
  name: string
  email: string
  oldest_due: Date | null
  waiting: number
  in_flight: number
  later: number
  held: number
  /** whether counting stopped there, at about WAITS_COUNTED */
  more_waiting: boolean
  more_later: boolean
  more_held: boolean
}

/** The {@link WAITING_CLIENTS} clients that have waited longest, then those that only have something in flight. */
export async function listWaitingClients(db: Kysely<Database>): Promise<WaitingClientRow[]> {
  const limit = sql.lit(WAITS_COUNTED)
  const ofLine = sql`greatest(${sql.lit(LEAST_OF_LINE)}, ${limit} / l.lines)`
  const { rows } = await inOrder(db, (trx) =>
    sql<WaitingClientRow>`
    with recursive ${LINES_OF_ALL}, ${FRONTS}, longest as materialized (
      select client_user_id, min(due) as oldest_due, count(*)::int as lines from fronts where due is not null or is_busy
      group by client_user_id order by min(due) nulls last, client_user_id limit ${WAITING_CLIENTS}
    )
    select l.client_user_id, ${clientName('p')} as name, p.email::text as email, l.oldest_due, due.waiting, due.in_flight, later.count as later,
      held.count as held, due.has_more as more_waiting, later.count = ${limit} as more_later, held.count = ${limit} as more_held
    from longest l join profiles p on p.user_id = l.client_user_id
    cross join lateral (
      select sum(one.waiting)::int as waiting, sum(one.in_flight)::int as in_flight, bool_or(one.has_more) as has_more
      from fronts c cross join lateral (${tallyDue(ofLine)}) one
      where c.client_user_id = l.client_user_id and (c.due is not null or c.is_busy)) due
    cross join lateral (select count(*)::int as count from (
      select from fronts c cross join lateral (select from ${inLine(LATER, limit)}) one
      where c.client_user_id = l.client_user_id limit ${limit}) found) later
    cross join lateral (select count(*)::int as count from (
      select from client_webhook_configs c cross join lateral (
        select from webhook_deliveries d where d.webhook_config_id = c.id and d.state = 'held' limit ${limit}) one
      where c.client_user_id = l.client_user_id limit ${limit}) found) held
    order by l.oldest_due nulls last, due.in_flight desc, l.client_user_id
  `.execute(trx),
  )
  return rows
}

/** Every endpoint with a delivery in the hands of a worker. */
export async function listUnderWay(db: Kysely<Database>): Promise<LineUnderWay[]> {
  const { rows } = await inOrder(db, (trx) =>
    sql<LineUnderWay>`
    with recursive ${LINES_OF_ALL}, ${FRONTS}
    select c.client_user_id, c.id as webhook_config_id, due.in_flight
    from fronts c cross join lateral (${tallyDue(sql.lit(LEAST_OF_LINE))}) due
    where (c.due is not null or c.is_busy) and due.in_flight > 0
  `.execute(trx),
  )
  return rows
}

/** The waiting deliveries of one endpoint, and the endpoint's status in PostgreSQL. */
export interface WaitingLine extends Line {
  webhook_name: string
  endpoint_url: string
  /** whether counting stopped there, at about WAITS_COUNTED among all listed endpoints */
  more_waiting: boolean
  more_later: boolean
  more_held: boolean
}

type StoredLine = Omit<WaitingLine, 'sending_hours'> & { sending_hours: unknown }

/** The endpoints of one client or of all with the longest waits; those with nothing due come last. */
export async function listWaitingLines(
  db: Kysely<Database>,
  { client, limit }: { client: string | undefined; limit: number },
): Promise<WaitingLine[]> {
  const most = sql`(select most from share)`
  const { rows } = await inOrder(db, (trx) =>
    sql<StoredLine>`
    with recursive ${client === undefined ? LINES_OF_ALL : linesOf(client)}, ${FRONTS}, chosen as materialized (
      select * from fronts order by due nulls last, is_busy desc, id limit ${limit}
    ), share as materialized (
      select greatest(${sql.lit(LEAST_OF_LINE)}, ${sql.lit(WAITS_COUNTED)} / greatest(1, count(*)))::int as most from chosen
    )
    select f.client_user_id, f.id as webhook_config_id, c.webhook_name, c.endpoint_url, c.is_active, c.sending_hours,
      c.sending_pause_reason is not null as is_paused,
      (select ${NEXT_TOKEN_AT} from webhook_rate_limits r where r.webhook_config_id = f.id) as next_token_at,
      coalesce(h.breaker, 'closed') as breaker, h.probe_at, coalesce(h.probe_delivery_id = f.delivery_id, false) as is_probe,
      f.gives_way, coalesce(h.unanswered_in_row, 0) > 0 as is_strained, f.due as oldest_due, due.waiting, due.in_flight, later.count as later, later.next_at, held.count as held, held.offered,
      due.has_more as more_waiting, later.count >= ${most} as more_later, held.count >= ${most} as more_held
    from chosen f join client_webhook_configs c on c.id = f.id
    left join webhook_endpoint_health h on h.webhook_config_id = f.id
    cross join lateral (${tallyDue(most)}) due
    cross join lateral (
      select count(*)::int as count, min(d.next_attempt_at) as next_at from ${inLine(LATER, most)}) later
    cross join lateral (select count(*)::int as count, count(found.offered_until)::int as offered from (
      select d.offered_until from webhook_deliveries d where d.webhook_config_id = c.id and d.state = 'held' limit ${most}) found) held
    order by f.due nulls last, f.is_busy desc, f.id
  `.execute(trx),
  )
  // A value that only another version can read is left out, so that it does not hide the rest.
  return rows.map((row) => ({
    ...row,
    sending_hours: sendingHoursSchema.safeParse(row.sending_hours).data ?? null,
  }))
}

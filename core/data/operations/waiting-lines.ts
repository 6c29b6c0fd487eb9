import { sql, type RawBuilder } from 'kysely'

/** Number of endpoints with something pending that one look reads. */
const MOST_LINES = 20_000
const IS_LEASED = sql`coalesce(d.lease_until > now(), false)`
/** SQL: the begin and the end of the time in which something is due. */
const DUE = { from: sql`'-infinity'`, until: sql`now()` }
export const LATER = { from: sql`(now() + interval '1 microsecond')`, until: sql`'infinity'` }

/**
 * SQL: the pending deliveries of endpoint `c` that are due in a time, oldest first, with a limit for first attempts and
 * the same limit for low priority. Whole rows are compared and sorted in the form that only the index
 * webhook_deliveries_line has.
 */
export const inLine = (
  { from, until }: typeof DUE,
  most: RawBuilder<unknown>,
  which: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => sql`
  (values (false), (true)) as kind (gives_way) cross join lateral (
    select d.id, d.next_attempt_at, d.lease_until from webhook_deliveries d
    where d.state = 'pending' and ${which}
      and (d.webhook_config_id, (d.attempt > 0 or d.turn > 0), d.next_attempt_at) >= (c.id, kind.gives_way, ${from}::timestamptz)
      and (d.webhook_config_id, (d.attempt > 0 or d.turn > 0), d.next_attempt_at) <= (c.id, kind.gives_way, ${until}::timestamptz)
    order by d.webhook_config_id, (d.attempt > 0 or d.turn > 0), d.next_attempt_at limit ${most}) d`

/**
 * SQL: the endpoints of all clients with something pending. The query goes from one endpoint to the next by the index,
 * however much waits at each.
 */
export const LINES_OF_ALL = sql`
  lines as (
    (select webhook_config_id as id, 1 as place from webhook_deliveries where state = 'pending'
      order by webhook_config_id limit 1)
    union all
    select next.id, lines.place + 1 from lines cross join lateral (
      select d.webhook_config_id as id from webhook_deliveries d
      where d.state = 'pending' and d.webhook_config_id > lines.id order by d.webhook_config_id limit 1) next
    where lines.place < ${sql.lit(MOST_LINES)}
  )`

/** SQL: the endpoints of one client with something pending or held. */
export const linesOf = (client: string): RawBuilder<unknown> => sql`
  lines as (
    select c.id from client_webhook_configs c cross join lateral (
      select from webhook_deliveries d where d.webhook_config_id = c.id and d.state in ('pending', 'held') limit 1) unfinished
    where c.client_user_id = ${client}
  )`

/**
 * SQL: for each endpoint, the delivery that has been due longest and that no worker has; `is_busy` if every due
 * delivery has begun.
 */
export const FRONTS = sql`
  fronts as materialized (
    select c.id, c.client_user_id, front.id as delivery_id, front.due, coalesce(front.gives_way, false) as gives_way,
      coalesce(busy.is_busy, false) as is_busy
    from lines join client_webhook_configs c on c.id = lines.id
    left join lateral (
      select d.id, d.next_attempt_at as due, kind.gives_way from ${inLine(DUE, sql`1`, sql`not ${IS_LEASED}`)}
      order by d.next_attempt_at limit 1) front on true
    left join lateral (
      select true as is_busy from ${inLine(DUE, sql`1`)} where front.due is null limit 1) busy on true
  )`

/** SQL: the due deliveries of endpoint `c`, not begun and begun, counted among its first `most` of each kind. */
export const tallyDue = (most: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select count(*) filter (where not ${IS_LEASED})::int as waiting, count(*) filter (where ${IS_LEASED})::int as in_flight,
    count(*) filter (where kind.gives_way) >= ${most} or count(*) filter (where not kind.gives_way) >= ${most} as has_more
  from ${inLine(DUE, most)}`

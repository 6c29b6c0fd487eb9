import { sql, type RawBuilder } from 'kysely'

/** Requests a minute that an endpoint's owner allows. */
export const RATE_LIMIT = {
  /** seconds in which an endpoint gets its number; a second more than a minute, for requests that are on their way */
  windowSeconds: 61,
  /** the part of a minute's requests that may begin at once: a poll each second then reaches the whole number */
  burstPart: 10,
} as const

/** SQL on a row `r` of webhook_rate_limits: requests that may begin at once while the bucket is full. */
const BURST = sql`greatest(1, r.per_minute / ${sql.lit(RATE_LIMIT.burstPart)})`

/**
 * SQL: seconds until a used token is there again. A full bucket and all tokens that come back within the window are
 * `per_minute` together, so no minute has more.
 */
const SECONDS_EACH = sql`(${sql.lit(RATE_LIMIT.windowSeconds)}::float8 / (r.per_minute - ${BURST} + 1))`

/** SQL: tokens in the bucket now. */
export const ROOM = sql`
  floor(${BURST} - greatest(0, extract(epoch from r.full_at - now())) / ${SECONDS_EACH} + 0.000001)::int`

/** SQL: when the next token is there; in the past if one is there now. */
export const NEXT_TOKEN_AT = sql`(r.full_at - make_interval(secs => (${BURST} - 1) * ${SECONDS_EACH}))`

/** SQL: whether an endpoint has a limit and no token now. */
export const isUsedUp = (endpoint: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  exists (select from webhook_rate_limits r where r.webhook_config_id = ${endpoint} and ${ROOM} < 1)`

/**
 * SQL: the bucket was empty within the last two seconds, so that what is due waits for it. Workers look for new tokens
 * once a second, so a bucket that is waited for may hold some.
 */
const IS_WAITED_FOR = sql`${NEXT_TOKEN_AT} > now() - interval '2 seconds'`

/** SQL: the endpoints whose due deliveries wait for their limit, as an array. These are not overdue, however long they wait. */
export const HELD_BACK = sql`array(select r.webhook_config_id from webhook_rate_limits r where ${IS_WAITED_FOR})`

/** SQL: requests a minute of an endpoint whose due deliveries wait for its limit; null for others. */
export const limitWaitedFor = (endpoint: RawBuilder<unknown>): RawBuilder<number | null> => sql<
  number | null
>`(
  select r.per_minute from webhook_rate_limits r
  where r.webhook_config_id = ${endpoint} and ${IS_WAITED_FOR})`

/** SQL: whether an endpoint has a limit. */
export const isLimited = (endpoint: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  exists (select from webhook_rate_limits r where r.webhook_config_id = ${endpoint})`

/**
 * SQL: the buckets of these endpoints and their tokens, locked until the statement ends. A bucket that another worker's
 * claim has locked is left out: that claim is over in a moment, and nobody waits for it.
 */
export const lockBuckets = (endpoints: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select r.webhook_config_id, ${ROOM} as room from webhook_rate_limits r
  where r.webhook_config_id = any(${endpoints}) order by r.webhook_config_id for no key update of r skip locked`

/** SQL: takes a token for each delivery of `taken` that may be sent. */
export const TAKE_TOKENS = sql`
  update webhook_rate_limits r set full_at = greatest(r.full_at, now()) + t.count * make_interval(secs => ${SECONDS_EACH})
  from (select webhook_config_id, count(*)::int as count from taken where may_send group by webhook_config_id) t
  where r.webhook_config_id = t.webhook_config_id`

import { sql, type RawBuilder } from 'kysely'
import { DELIVERABLE_EVENTS } from '#core/contract/events.ts'
import type { Db } from './database.ts'
import { ATTEMPT_ENDS, isOther, newestFirst } from './webhooks/logs/log-order.ts'

/** More leads than any screen shows at its top. */
const NEWEST_LEADS = 10
const NEWEST_ATTEMPTS = 10
/** A change in a longer queue also shows in its attempts, which the token contains too. */
const NEWEST_OPEN = 100
/** A screen that begins to follow fetched its data at most this long ago. */
const MOMENT_SECONDS = 5

/** A short text that changes whenever leads, deliveries or the balance change in a way that the client can see. */
export interface ChangeToken {
  client_user_id: string
  /** 32 hexadecimal digits */
  token: string
  /** whether something waits, or happened a moment ago */
  is_moving: boolean
}

/** A client's token, or nulls beside the snapshot if nothing was committed since. */
interface TokenRow {
  snapshot: string
  client_user_id: string | null
  token: string | null
  is_moving: boolean | null
}

export interface ChangeTokens {
  /** PostgreSQL's snapshot of the commits at the time of the query (pg_current_snapshot) */
  snapshot: string
  /** empty if nothing at all was committed since the given snapshot */
  tokens: ChangeToken[]
}

/** SQL: the newest attempts of the webhook `c` since yesterday. */
const newestAttempts = (which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select g.xmin::text::bigint as version, g.created_at from webhook_delivery_logs g
  where g.webhook_config_id = c.id and ${which} and g.created_at >= date_trunc('day', now()) - interval '1 day'
  order by ${newestFirst('g')} limit ${NEWEST_ATTEMPTS}`

/**
 * Reads the change tokens of these clients in one statement. It compares row versions, not times: PostgreSQL sets a new
 * `xmin` for a change of any column, and no late commit can hide it. For each client it reads the newest leads and the
 * webhooks, and the newest ledger entry, without which no balance moves. For each webhook it reads the newest attempts of
 * each kind and end, and the newest waiting deliveries. All of it is found by indexes. Attempts before yesterday are left out, so that the statement opens two weekly partitions
 * of the log, not all.
 * @param since the snapshot of the last answer; null if one of these clients had none
 */
export async function readChangeTokens(
  db: Db,
  clients: readonly string[],
  since: string | null,
): Promise<ChangeTokens> {
  const { rows } = await sql<TokenRow>`
    select given.snapshot, marked.* from (select pg_current_snapshot()::text as snapshot) given left join lateral (
      select client.id as client_user_id,
        md5(concat_ws(' ', own.leads, own.version, theirs.leads, theirs.version, hooks.version, money.entry)) as token,
        coalesce(greatest(own.moved_at, theirs.moved_at, hooks.moved_at, money.moved_at) > now() - make_interval(secs => ${MOMENT_SECONDS}), false)
          or coalesce(hooks.open > 0, false) as is_moving
      from unnest(${[...clients]}::uuid[]) client (id) cross join lateral (
        select count(*) as leads, sum(version) as version, max(moved_at) as moved_at from (
          select xmin::text::bigint as version, greatest(created_at, assigned_at) as moved_at from leads
          where assigned_to = client.id order by created_at desc, id desc limit ${NEWEST_LEADS}) newest
      ) own cross join lateral (
        select count(*) as leads, sum(version) as version, max(moved_at) as moved_at from (
          select xmin::text::bigint as version, created_at as moved_at from leads
          where user_id = client.id and user_id is not null and assigned_to is distinct from user_id
          order by created_at desc, id desc limit ${NEWEST_LEADS}) newest
      ) theirs cross join lateral (
        select string_agg(concat_ws(' ', c.xmin, h.xmin, attempts.version, waits.open, waits.version), ',' order by c.created_at desc, c.id desc) as version,
          max(greatest(c.updated_at, h.updated_at, attempts.moved_at)) as moved_at, sum(waits.open) as open
        from client_webhook_configs c left join webhook_endpoint_health h on h.webhook_config_id = c.id cross join lateral (
          select sum(version) as version, max(created_at) as moved_at
          from (
            select newest.* from unnest(${[...DELIVERABLE_EVENTS]}::text[]) kind cross join unnest(${[...ATTEMPT_ENDS]}::text[]) ended
            cross join lateral (${newestAttempts(sql`g.event_type = kind and g.delivery_status = ended`)}) newest
            union all
            (${newestAttempts(isOther('g'))})
          ) newest
        ) attempts cross join lateral (
          select count(*) as open, sum(version) as version from (
            select xmin::text::bigint as version from webhook_deliveries
            where webhook_config_id = c.id and state in ('pending', 'held')
            order by created_at desc limit ${NEWEST_OPEN}) newest
        ) waits
        where c.client_user_id = client.id
      ) hooks left join lateral (
        select id as entry, created_at as moved_at from balance_ledger
        where client_user_id = client.id order by id desc limit 1
      ) money on true
      -- The condition names no column, and offset 0 keeps it here: if nothing was committed, nothing above is read.
      where pg_current_snapshot()::text is distinct from ${since}::text offset 0
    ) marked on true
  `.execute(db)
  return {
    snapshot: rows[0]?.snapshot ?? '',
    tokens: rows.flatMap(({ client_user_id, token, is_moving }) =>
      client_user_id === null || token === null || is_moving === null
        ? []
        : [{ client_user_id, token, is_moving }],
    ),
  }
}

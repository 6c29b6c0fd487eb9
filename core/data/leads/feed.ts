import { sql, type RawBuilder } from 'kysely'
import type { FeedKind } from '#core/contract/leads/feed.ts'
import type { Db } from '../database.ts'
import { claimedLead } from '../webhooks/deliveries/claimed-lead.ts'

/** An entry as it is stored. `lead` is text that readClaimedLead reads; null if the client may not see the person. */
export interface StoredFeedEntry {
  number: number
  kind: FeedKind
  lead_id: string
  at: Date
  reason: string | null
  hash: string
  lead: string | null
}

/** A client's entries after a number, in order. */
export async function listFeed(
  db: Db,
  client: string,
  { after, limit }: { after: number; limit: number },
): Promise<StoredFeedEntry[]> {
  const { rows } = await sql<StoredFeedEntry>`
    select f.number::float8 as number, f.kind, f.lead_id, f.at, f.reason, encode(f.hash, 'hex') as hash, held.told as lead
    from client_feed f left join lateral (
      select ${claimedLead(sql`f.client_user_id`)} as told from leads l
      where l.id = f.lead_id and l.assigned_to = f.client_user_id and l.status <> 'returned' and l.redacted_at is null
    ) held on f.kind = 'assigned'
    where f.client_user_id = ${client} and f.number > ${after}::bigint order by f.number limit ${limit}`.execute(
    db,
  )
  return rows
}

/** The number of a client's last entry; 0 if there is none. */
export async function readLastNumber(db: Db, client: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select last_number::float8 as last from client_feed_heads where client_user_id = ${client}`.execute(db)
  return rows[0]?.last ?? 0
}

/**
 * Waits until the entries that are being committed can be read.
 * @returns the last number, and the database's time: no later entry is older. Undefined for a client without entries
 */
export async function settleFeed(
  db: Db,
  client: string,
): Promise<{ last_number: number; at: Date } | undefined> {
  const { rows } = await sql<{ last_number: number; at: Date }>`
    select last_number::float8 as last_number, clock_timestamp() as at from (
      select last_number from client_feed_heads where client_user_id = ${client} for share
    ) settled`.execute(db)
  return rows[0]
}

/** The counts, numbers and hashes of a feed in a span of time. */
export interface FeedSpan {
  assigned: number
  returned: number
  revoked: number
  erased: number
  /** the first number in the span, and the last one up to its end; without an entry in it, `first` is `last` + 1 */
  first: number
  last: number
  previous_hash: string | null
  hash: string | null
}

/** @param last the feed's last number */
export async function readFeedSpan(
  db: Db,
  client: string,
  { last, from, until }: { last: number; from: Date; until: Date },
): Promise<FeedSpan> {
  const hashBefore = (number: RawBuilder<unknown>) =>
    sql`(select encode(hash, 'hex') from client_feed where client_user_id = ${client} and number = ${number} - 1)`
  const { rows } = await sql<FeedSpan>`
    with span as materialized (
      select (${firstSince(client, from, last)}) as first, (${firstSince(client, until, last)}) as next
    )
    select span.first::float8 as first, (span.next - 1)::float8 as last, counted.*,
      ${hashBefore(sql`span.first`)} as previous_hash, ${hashBefore(sql`span.next`)} as hash
    from span cross join lateral (
      select count(*) filter (where kind = 'assigned')::float8 as assigned, count(*) filter (where kind = 'returned')::float8 as returned,
        count(*) filter (where kind = 'revoked')::float8 as revoked, count(*) filter (where kind = 'erased')::float8 as erased
      from client_feed where client_user_id = ${client} and number >= span.first and number < span.next
    ) counted`.execute(db)
  const [span] = rows
  if (span === undefined) throw new Error('PostgreSQL counted nothing')
  return span
}

/**
 * SQL: the first number whose entry is not older than this. Times never decrease with the numbers, and no number is
 * missing, so halving finds it by the primary key.
 */
function firstSince(client: string, at: Date, last: number): RawBuilder<unknown> {
  return sql`
    with recursive halved (low, high) as (
      select 1::bigint, ${last}::bigint + 1
      union all
      select case when f.at < ${at} then middle.number + 1 else halved.low end,
        case when f.at < ${at} then halved.high else middle.number end
      from halved cross join lateral (select (halved.low + halved.high) / 2 as number) middle
      join client_feed f on f.client_user_id = ${client} and f.number = middle.number
      where halved.low < halved.high
    )
    select low from halved where low = high`
}

/**
 * SQL: the number of the feed's entry that caused an event's delivery to a client, as text; null if there is none. For
 * events of a lead without an entry of their own, it is the number of the last assignment up to the event, or of the
 * return by which the lead was reassigned.
 */
export function feedNumber(
  event: RawBuilder<unknown>,
  client: RawBuilder<unknown>,
): RawBuilder<string | null> {
  return sql<string | null>`coalesce(
    (select own.number from client_feed own where own.event_id = ${event} and own.client_user_id = ${client}),
    (select f.number from events e join events cause on cause.lead_id = e.lead_id and cause.client_user_id = ${client}
        and cause.type = case e.type when 'lead.reassigned' then 'lead.returned' else 'lead.assigned' end
        and cause.created_at <= e.created_at
      join client_feed f on f.event_id = cause.id and f.client_user_id = ${client}
      where e.id = ${event} and e.type in ('lead.created', 'lead.given', 'lead.reassigned')
      order by f.number desc limit 1))::text`
}

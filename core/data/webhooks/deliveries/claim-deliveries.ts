import { sql, type RawBuilder } from 'kysely'
import type { SentEvent } from '#core/contract/events.ts'
import type { Db } from '#core/data/database.ts'
import { feedNumber } from '../../leads/feed.ts'
import { claimedLead } from './claimed-lead.ts'
import { IS_SENT_ALONE, isWebhookAlone, LOST_WHEN_CLAIMED } from './lone-deliveries.ts'
import { isLimited, lockBuckets, TAKE_TOKENS } from './rate-limits.ts'

/** Slots that a worker has for one endpoint's deliveries. */
export interface ClaimRequest {
  webhook_config_id: string
  /** limit of deliveries */
  most: number
  /** limit among these for low priority: retries, and deliveries beyond a burst's token bucket */
  most_low_priority: number
  /** claims low priority first, so that it does not wait for ever */
  low_priority_first: boolean
}

/** A claimed delivery with its lead, and the present version of its configuration. */
export interface ClaimedDelivery {
  delivery_id: string
  /** the fencing token for later records: a new one for each claim */
  lease_token: string
  /** the number of the next attempt, from 1 */
  attempt: number
  /** core/fairness/priorities.ts */
  turn: number
  event_id: string
  event_type: SentEvent
  client_user_id: string
  webhook_config_id: string
  /** whether it passes an open breaker to find out whether the endpoint is back */
  is_probe: boolean
  is_resend: boolean
  /**
   * whether it was planned for later, or held, before its first attempt, or its endpoint takes only so many requests a
   * minute: that attempt is late on purpose
   */
  was_put_off: boolean
  /** since when it was due, or might be sent by the limit of its endpoint */
  due_at: Date
  /** changes with every change of the configuration's row */
  config_version: string
  /** the lead; of an event beside the lead, the id of that event */
  lead_id: string
  /**
   * as JSON text: readClaimedLead (claimed-lead.ts) reads it, so that an unreadable lead makes only its own delivery
   * fail; null for an event beside the lead
   */
  lead: string | null
  /** the number of the entry in the client's feed that caused it; null if there is none */
  sequence: string | null
  /** the database's clock at the claim */
  claimed_at: Date
}

/** The result of a claim for one request. */
export interface Claimed {
  deliveries: ClaimedDelivery[]
  /** those that may be sent, and those that are held now; if there are fewer than requested, nothing else is due */
  found: number
}

type TakenRow = ClaimedDelivery & { may_send: boolean }

/**
 * The unclaimed due rows of an endpoint, in the order in which they became due; `asked` is a row of the request. They
 * are sorted by all columns of the index webhook_deliveries_line. Otherwise a plan cached while nothing waited could
 * use another index, and read and sort everything that waits.
 */
const inLine = (
  lowPriority: RawBuilder<unknown>,
  most: RawBuilder<unknown>,
  { open, alone }: { open: readonly string[]; alone: boolean },
): RawBuilder<unknown> => sql`
  select d.id, d.webhook_config_id from webhook_deliveries d
  where d.state = 'pending' and d.webhook_config_id = asked.webhook_config_id
    and (d.attempt > 0 or d.turn > 0) = ${lowPriority}
    and d.next_attempt_at <= now() and (d.lease_until is null or d.lease_until < now())
    and d.id <> all(${[...open]}::uuid[]) and (asked.is_alone or ${IS_SENT_ALONE}) = ${alone}::boolean
  order by d.webhook_config_id, (d.attempt > 0 or d.turn > 0), d.next_attempt_at limit ${most}
  for update of d skip locked`

/**
 * Claims, for each requested endpoint, the deliveries that have been due there for the longest. No other worker may
 * send them until their leases end. Deliveries that may not be sent become held: the configuration is switched off,
 * sending to the client is paused, or the endpoint's breaker is open. An endpoint with a limit of requests a minute gets
 * no more than its tokens. A claim never waits for another claim, because that one finds other deliveries.
 * @param requests at most one for each endpoint
 * @param leaseSeconds longer than the longest exchange, so that a live sender is never overtaken
 * @param options.open deliveries that the caller has claimed and not yet recorded: it must not claim them again, even
 * when their leases have ended
 * @param options.alone claims only deliveries that are to be sent alone (lone-deliveries.ts); otherwise only the others
 * @returns results in the order of the requests
 */
export async function claimDeliveries(
  db: Db,
  requests: readonly ClaimRequest[],
  leaseSeconds: number,
  { open = [], alone = false }: { open?: readonly string[]; alone?: boolean } = {},
): Promise<Claimed[]> {
  const { rows } = await sql<TakenRow>`
    with buckets as materialized (
      ${lockBuckets(sql`${requests.map((request) => request.webhook_config_id)}::uuid[]`)}
    ), asked as (
      select t.webhook_config_id, t.most_low_priority, t.low_priority_first, ${isWebhookAlone(sql`t.webhook_config_id`)} as is_alone,
        case when ${isLimited(sql`t.webhook_config_id`)} then least(t.most, greatest(0, coalesce(buckets.room, 0))) else t.most end as most
      from unnest(
        ${requests.map((request) => request.webhook_config_id)}::uuid[],
        ${requests.map((request) => request.most)}::int[],
        ${requests.map((request) => request.most_low_priority)}::int[],
        ${requests.map((request) => request.low_priority_first)}::boolean[]
      ) as t (webhook_config_id, most, most_low_priority, low_priority_first)
      left join buckets on buckets.webhook_config_id = t.webhook_config_id
    ), preferred as (
      select d.* from asked cross join lateral (${inLine(
        sql`asked.low_priority_first`,
        sql`case when asked.low_priority_first then least(asked.most, asked.most_low_priority) else asked.most end`,
        { open, alone },
      )}) d
    ), others as (
      select d.* from (
        select a.*, a.most - (select count(*) from preferred p where p.webhook_config_id = a.webhook_config_id) as rest
        from asked a) asked cross join lateral (${inLine(
          sql`(not asked.low_priority_first)`,
          sql`case when asked.low_priority_first then asked.rest else least(asked.rest, asked.most_low_priority) end`,
          { open, alone },
        )}) d
    ), taken as (
      update webhook_deliveries d
      set state = case when e.may_send then d.state else 'held' end,
        lease_token = case when e.may_send then gen_random_uuid() end,
        lease_until = case when e.may_send then now() + make_interval(secs => ${leaseSeconds}) end,
        lost_leases = ${LOST_WHEN_CLAIMED}
      from (select * from preferred union all select * from others) l cross join lateral (
        select c.xmin::text as config_version, coalesce(h.probe_delivery_id = l.id, false) as is_probe,
          c.is_active and c.sending_pause_reason is null and (coalesce(h.breaker, 'closed') = 'closed' or h.probe_delivery_id is not distinct from l.id)
            as may_send, ${isLimited(sql`c.id`)} as is_limited
        from client_webhook_configs c left join webhook_endpoint_health h on h.webhook_config_id = c.id
        where c.id = l.webhook_config_id) e
      where d.id = l.id
      returning d.id as delivery_id, d.lease_token, d.attempt + 1 as attempt, d.turn, d.event_id, d.event_type,
        d.client_user_id, d.webhook_config_id, d.lead_id, e.may_send, e.is_probe, d.resend_of is not null as is_resend,
        d.next_attempt_at > d.created_at + interval '1 second' or e.is_limited as was_put_off,
        case when e.is_limited then now() else d.next_attempt_at end as due_at, e.config_version
    ), spent as (
      ${TAKE_TOKENS}
    )
    select taken.may_send, taken.delivery_id, taken.lease_token, taken.attempt, taken.turn, now() as claimed_at,
      taken.event_id, taken.event_type, taken.client_user_id, taken.webhook_config_id, taken.is_probe, taken.is_resend, taken.was_put_off, taken.due_at,
      taken.config_version, taken.lead_id, lead.told as lead,
      case when taken.may_send then ${feedNumber(sql`taken.event_id`, sql`taken.client_user_id`)} end as sequence
    from taken left join lateral (
      select ${claimedLead(sql`taken.client_user_id`)} as told from leads l where l.id = taken.lead_id
    ) lead on taken.may_send
  `.execute(db)
  const found = Map.groupBy(rows, (row) => row.webhook_config_id)
  return requests.map(({ webhook_config_id: id }) => {
    const mine = found.get(id) ?? []
    return { deliveries: mine.flatMap(readClaim), found: mine.length }
  })
}

function readClaim(row: TakenRow): ClaimedDelivery[] {
  if (!row.may_send) return []
  const { may_send: _maySend, ...delivery } = row
  return [delivery]
}

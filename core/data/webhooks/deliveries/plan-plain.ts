import { sql } from 'kysely'
import { PLANNED_EVENTS } from '#core/contract/events.ts'
import { OFFERED_DAYS } from '#core/contract/webhooks/delivery.ts'
import type { Db } from '../../database.ts'
import { compileOnce } from '../../compile-once.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { feedNumber } from '../../leads/feed.ts'
import { claimedLead } from './claimed-lead.ts'
import { IS_SENT_ALONE } from './lone-deliveries.ts'
import { isLimited } from './rate-limits.ts'
import type { DueRow, EventToPlan, PlannedDeliveries } from './plan-deliveries.ts'

/** Slots that are reserved for deliveries to one endpoint, and the length of their leases. */
export interface ReservedSlots {
  webhook_config_id: string
  /**
   * One token for each slot, made for this statement alone. If the statement's answer is lost, the caller finds its
   * leases by these tokens (findLeased).
   */
  lease_tokens: readonly string[]
}

/**
 * Milliseconds: a statement that had to wait longer claims nothing, because PostgreSQL reads the webhooks once, at its
 * beginning, and they may have been switched off since.
 */
export const TOO_OLD_MS = 100

/** Deliveries that were planned, and events that this form does not plan. */
export interface PlannedPlainly {
  /** leased to the caller, which sends them now */
  claimed: ClaimedDelivery[]
  /** due, and waiting for a claim */
  due: PlannedDeliveries['due']
  /** ids of events for the whole form (plan-judged.ts) */
  others: string[]
}

type PlainRow =
  | ({ kind: 'claimed' } & Omit<
      ClaimedDelivery,
      'attempt' | 'is_probe' | 'is_resend' | 'was_put_off' | 'due_at'
    >)
  | DueRow
  | { kind: 'other'; event_id: string }

/**
 * Plans the deliveries of a few events as `planJudged` does, in a plain form that costs half as much, and claims those
 * with a reserved slot in the same statement. It leaves an event to `planJudged` in four cases: it makes more than
 * `mostOfEvent` deliveries; a configuration with conditions, sending hours or a member listens to it; it is a
 * `lead.given`; or it is older than the
 * last change of a configuration's triggers. A delivery is claimed only if it would be next anyway: its priority is 0,
 * its endpoint's breaker is closed, sending to the client is not paused, it has no limit of requests a minute, nothing is sent there alone, and nothing older
 * waits there. The others wait as rows. If the statement had to wait for a lock (TOO_OLD_MS), all wait as rows. Safe to run twice: an event is planned
 * once, and a planned event returns those of its deliveries that nobody has tried or leased.
 * @param options.slots at most one entry for each endpoint
 * @param options.leaseSeconds longer than the longest exchange
 * @param options.patienceMs how long it may wait for a lock; after that it fails with 55P03, and nothing is planned
 */
export async function planPlainly(
  db: Db,
  events: readonly EventToPlan[],
  options: {
    slots: readonly ReservedSlots[]
    leaseSeconds: number
    mostOfEvent: number
    patienceMs: number | undefined
  },
): Promise<PlannedPlainly> {
  const turns = new Map(events.map(({ event_id: id, turn }) => [id, turn]))
  const ids = [...turns.keys()].toSorted()
  const slots = options.slots.flatMap(({ webhook_config_id: id, lease_tokens: tokens }) =>
    tokens.map((token, index) => ({ id, place: index + 1, token })),
  )
  const rows = await plan(db, {
    patience: options.patienceMs === undefined ? null : `${options.patienceMs}ms`,
    ids,
    turns: ids.map((id) => turns.get(id) ?? 0),
    most_of_event: options.mostOfEvent,
    slot_endpoints: slots.map(({ id }) => id),
    slot_places: slots.map(({ place }) => place),
    slot_tokens: slots.map(({ token }) => token),
    lease_seconds: options.leaseSeconds,
  })
  const planned: PlannedPlainly = { claimed: [], due: [], others: [] }
  for (const row of rows)
    switch (row.kind) {
      case 'other': {
        planned.others.push(row.event_id)
        break
      }
      case 'claimed': {
        planned.claimed.push(readClaimed(row))
        break
      }
      case 'due': {
        const { delivery_id, event_id, webhook_config_id, client_user_id, turn } = row
        planned.due.push({ delivery_id, event_id, webhook_config_id, client_user_id, turn, attempt: 1 })
      }
    }
  return planned
}

/**
 * Finds the leases of a statement whose answer was lost, and renews them: they count from now on.
 * @param events the events that it was to plan
 * @param tokens the tokens that were given to that statement only
 */
export async function findLeased(
  db: Db,
  events: readonly string[],
  tokens: readonly string[],
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> {
  const rows = await renew(db, { events, tokens, lease_seconds: leaseSeconds })
  return rows.map(readClaimed)
}

type LeasedRow = Omit<ClaimedDelivery, 'attempt' | 'is_probe' | 'is_resend' | 'was_put_off' | 'due_at'>

function readClaimed({
  delivery_id,
  lease_token,
  turn,
  event_id,
  event_type,
  client_user_id,
  webhook_config_id,
  config_version,
  lead_id,
  lead,
  sequence,
  claimed_at,
}: LeasedRow): ClaimedDelivery {
  return {
    delivery_id,
    lease_token,
    attempt: 1,
    turn,
    event_id,
    event_type,
    client_user_id,
    webhook_config_id,
    is_probe: false,
    is_resend: false,
    was_put_off: false,
    due_at: claimed_at,
    config_version,
    lead_id,
    lead,
    sequence,
    claimed_at,
  }
}

/** SQL on an event `e` and a configuration `c`. */
const HEARD = sql`
  e.id as event_id, c.id as webhook_config_id, e.created_at >= c.choice_since as is_of_now,
  c.conditions is null and c.sending_hours is null and c.member_user_id is null as asks_nothing,
  case e.type when 'lead.created' then c.trigger_on_lead_created else c.trigger_on_lead_assigned end as listens`

type Value =
  | 'patience'
  | 'ids'
  | 'turns'
  | 'most_of_event'
  | 'slot_endpoints'
  | 'slot_places'
  | 'slot_tokens'
  | 'lease_seconds'

// Conditions on planned_at and state are written so that no partial index answers them, as in plan-judged.ts.
const plan = compileOnce<PlainRow, Record<Value, unknown>>(
  (value) => sql`
    with asked as (
      select t.* from (select set_config('lock_timeout', coalesce(${value('patience')}, current_setting('lock_timeout')), true)) patience
        cross join unnest(${value('ids')}::uuid[], ${value('turns')}::int[]) as t (id, turn)
    ), unplanned as materialized (
      select e.id, e.type, e.lead_id, e.client_user_id, e.created_at, asked.turn
      from asked join events e on e.id = asked.id
      where coalesce(e.planned_at, 'infinity') = 'infinity'
        and e.type = any(array[${sql.join(PLANNED_EVENTS.map((type) => sql.lit(type)))}])
    ), heard as materialized (
      select ${HEARD} from unplanned e join client_webhook_configs c on c.client_user_id = e.client_user_id
      union all
      select ${HEARD} from unplanned e
      join profiles p on p.role = 'admin' and p.status = 'active' and p.user_id is distinct from e.client_user_id
      join client_webhook_configs c on c.client_user_id = p.user_id
      where e.type = 'lead.created'
    ), planned as (
      update events e set planned_at = now(), enqueued_at = coalesce(enqueued_at, now()), failures = 0, failed_at = null
      from unplanned u
      where e.id = u.id and coalesce(e.planned_at, 'infinity') = 'infinity' and e.type <> 'lead.given'
        and not exists (select from heard h where h.event_id = u.id and not (h.is_of_now and (h.asks_nothing or not h.listens)))
        and (select count(*) from heard h where h.event_id = u.id and h.listens) <= ${value('most_of_event')}::int
      returning e.id, e.type, e.lead_id, u.turn
    ), there as (
      -- Waits for a webhook that is being deleted, and leaves it out.
      select planned.id as event_id, planned.type, planned.lead_id, planned.turn, c.id, c.client_user_id, c.is_active, c.retired_at,
        c.member_user_id, c.sending_pause_reason, c.xmin::text as version
      from planned join heard h on h.event_id = planned.id and h.listens
      join client_webhook_configs c on c.id = h.webhook_config_id
      order by c.id for key share of c
    ), wanted as (
      select *, row_number() over (partition by id order by event_id) as place from there
      -- One that became a person's own while this statement waited for it gets that person's leads, as it will from now on.
      where (is_active or retired_at is null) and (member_user_id is null
        or member_user_id = (select l.member_user_id from leads l where l.id = there.lead_id))
    ), read as materialized (
      select clock_timestamp() - now() < make_interval(secs => ${sql.lit(TOO_OLD_MS / 1000)}) as is_of_now
      from (select count(*) from there) locked
    ), slots as (
      select s.* from unnest(${value('slot_endpoints')}::uuid[], ${value('slot_places')}::int[], ${value('slot_tokens')}::uuid[])
        as s (endpoint, place, token)
      where (select is_of_now from read) and not exists (
        select from webhook_endpoint_health h
        where h.webhook_config_id = s.endpoint and (h.breaker <> 'closed' or h.alone_until > now()))
      and not ${isLimited(sql`s.endpoint`)}
      -- Sorted as the index webhook_deliveries_line is, so that no plan reads what waits elsewhere (claim-deliveries.ts).
      and (
        select d.id from webhook_deliveries d
        where d.state = 'pending' and d.webhook_config_id = s.endpoint and d.next_attempt_at <= now()
          and (d.lease_until is null or d.lease_until < now()) and not (${IS_SENT_ALONE})
        order by d.webhook_config_id, (d.attempt > 0 or d.turn > 0), d.next_attempt_at limit 1) is null
    ), made as (
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, turn, state, next_attempt_at,
        offered_until, lease_token, lease_until)
      select w.event_id, w.type, w.id, w.client_user_id, w.lead_id, w.turn,
        case when w.is_active then 'pending' else 'held' end, case when w.is_active then now() end,
        case when not w.is_active then now() + make_interval(days => ${sql.lit(OFFERED_DAYS)}) end,
        s.token, case when s.token is not null then now() + make_interval(secs => ${value('lease_seconds')}::float8) end
      from wanted w left join slots s on s.endpoint = w.id and s.place = w.place and w.is_active and w.turn = 0
        and w.sending_pause_reason is null
      on conflict do nothing
      returning id, event_id, webhook_config_id, client_user_id, turn, state, lease_token
    )
    select case when made.lease_token is null then 'due' else 'claimed' end as kind, made.id as delivery_id, made.event_id,
      made.webhook_config_id, made.client_user_id, made.turn, made.lease_token, there.type as event_type, there.lead_id,
      there.version as config_version, lead.told as lead, lead.sequence, now() as claimed_at
    from made join there on there.event_id = made.event_id and there.id = made.webhook_config_id
    left join lateral (
      select ${claimedLead(sql`made.client_user_id`)} as told,
        ${feedNumber(sql`made.event_id`, sql`made.client_user_id`)} as sequence
      from leads l where l.id = there.lead_id
    ) lead on made.lease_token is not null
    where made.state = 'pending'
    union all
    select 'other', null, u.id, null, null, null, null, null, null, null, null, null, null from unplanned u
    where not exists (select from planned where planned.id = u.id)
    union all
    select 'due', d.id, d.event_id, d.webhook_config_id, d.client_user_id, d.turn, null, null, null, null, null, null, null
    from asked join webhook_deliveries d on d.event_id = asked.id and d.resend_of is null
      and case d.state when 'pending' then d.attempt = 0 and d.next_attempt_at <= now() else false end
      and (d.lease_until is null or d.lease_until < now())
    where not exists (select from unplanned u where u.id = asked.id)`,
)

const renew = compileOnce<LeasedRow, Record<'events' | 'tokens' | 'lease_seconds', unknown>>(
  (value) => sql`
    with renewed as (
      update webhook_deliveries d set lease_until = now() + make_interval(secs => ${value('lease_seconds')}::float8)
      where d.event_id = any(${value('events')}::uuid[]) and d.lease_token = any(${value('tokens')}::uuid[])
        and case d.state when 'pending' then d.attempt = 0 else false end
      returning d.*
    )
    select d.id as delivery_id, d.lease_token, d.turn, d.event_id, d.event_type, d.client_user_id, d.webhook_config_id, d.lead_id,
      c.xmin::text as config_version, ${claimedLead(sql`d.client_user_id`)} as lead,
      ${feedNumber(sql`d.event_id`, sql`d.client_user_id`)} as sequence, now() as claimed_at
    from renewed d join client_webhook_configs c on c.id = d.webhook_config_id join leads l on l.id = d.lead_id`,
)

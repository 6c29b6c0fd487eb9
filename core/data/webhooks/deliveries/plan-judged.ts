import { sql, type RawBuilder } from 'kysely'
import { PLANNED_EVENTS } from '#core/contract/events.ts'
import { askedEventSchema, type AskedEvent } from '#core/contract/webhooks/asked-delivery.ts'
import { OFFERED_DAYS } from '#core/contract/webhooks/delivery.ts'
import type { DeliveryVerdict } from '#core/domain/webhooks/conditions/judge-planned.ts'
import { readStored } from '#core/read-stored.ts'
import { compileOnce } from '../../compile-once.ts'
import type { Db } from '../../database.ts'
import { versionOf } from '../read-choices.ts'
import type { DueRow, EventToPlan, PlannedDeliveries } from './plan-deliveries.ts'

/** Limit of deliveries that are planned together, and how many of them have priority 0. */
export interface DeliveriesAtOnce {
  all: number
  /** limit for one client's events; events without a client have no such limit */
  ofClient: number
  /**
   * number of deliveries of one event to one client that have priority 0: those of the oldest configurations; the
   * others have a lower one (core/fairness/fan-out.ts)
   */
  ofLead: number
  /** clients of which only the first delivery of every event has priority 0 */
  spreading: readonly string[]
}

/** `asked`: the configurations to be judged before their events can be planned; `now` is the database's clock. */
export interface PlannedSome extends PlannedDeliveries {
  asked: AskedEvent[]
  now: Date
}

/**
 * Plans the deliveries of events: one for each matching configuration, all in one statement, so that an event is
 * planned whole or not at all. Triggers and conditions count as they were when the event happened, so a configuration
 * that was created later, or got the trigger later, gets nothing. A configuration that is switched off now gets its
 * delivery too, but held and offered: it is not sent until its owner says so (offered-deliveries.ts). A configuration
 * that is being deleted, or whose account was erased, gets none while it is off.
 *
 * The matching configurations (docs/contract.md §5): `lead.created` goes to the client that owns the lead and to every
 * administrator, whoever owns it; for a marketplace lead to administrators alone. `lead.assigned` goes to the client to
 * which it was assigned; `lead.given` goes to the webhooks of the person to whom it was given, and only to them. A
 * person's webhook gets only that person's leads. Events of other types are left to their own consumers. A
 * configuration with conditions or
 * sending hours needs a verdict. Without a verdict for its present version the event is not planned, and the
 * configuration is returned in `asked`. If a lead does not meet the conditions, its timeline gets an entry in place of
 * a delivery.
 *
 * Clients whose events make few deliveries come first, and beyond `most` deliveries the other events are left for
 * another time: a lead to a hundred webhooks is a hundred deliveries, which must not delay other clients. Safe to run
 * twice: a planned event returns its due deliveries that still wait for their first attempt.
 * @param most limit of deliveries; while there is room, the first lead of each client is planned however many
 * deliveries it makes
 * @param patienceMs how long it may wait for a lock; after that it fails with 55P03, and nothing is planned
 */
export async function planJudged(
  db: Db,
  events: readonly EventToPlan[],
  most: DeliveriesAtOnce,
  verdicts: readonly DeliveryVerdict[],
  patienceMs?: number,
): Promise<PlannedSome> {
  const turns = new Map(events.map(({ event_id: id, turn }) => [id, turn]))
  const ids = [...turns.keys()].toSorted()
  const rows = await plan(db, {
    patience: patienceMs === undefined ? null : `${patienceMs}ms`,
    ids,
    turns: ids.map((id) => turns.get(id) ?? 0),
    verdict_events: verdicts.map((one) => one.event_id),
    verdict_configs: verdicts.map((one) => one.webhook_config_id),
    verdict_versions: verdicts.map((one) => one.version),
    verdict_unmet: verdicts.map((one) => JSON.stringify(one.unmet)),
    verdict_due_at: verdicts.map((one) => one.due_at),
    event_types: PLANNED_EVENTS,
    most: most.all,
    most_of_client: most.ofClient,
    most_of_lead: most.ofLead,
    spreading: most.spreading,
    offered_days: OFFERED_DAYS,
  })
  return readRows(rows)
}

/** A due delivery, an event that is left, or one whose configurations have to be judged. */
type PlannedRow =
  | { kind: 'left'; event_id: string; type: string; client_user_id: string | null; size: number }
  | DueRow
  | { kind: 'asked'; now: Date; asked: unknown }

function readRows(rows: readonly PlannedRow[]): PlannedSome {
  const planned: PlannedSome = { due: [], left: [], asked: [], now: new Date(0) }
  for (const row of rows)
    switch (row.kind) {
      case 'left': {
        const { event_id: id, type, client_user_id, size } = row
        planned.left.push({ id, type, client_user_id, size })
        break
      }
      case 'asked': {
        planned.now = row.now
        planned.asked.push(readStored(askedEventSchema, row.asked, 'what deliveries are judged by'))
        break
      }
      case 'due': {
        const { delivery_id, event_id, webhook_config_id, client_user_id, turn } = row
        planned.due.push({ delivery_id, event_id, webhook_config_id, client_user_id, turn, attempt: 1 })
      }
    }
  return planned
}

type Value =
  | 'patience'
  | 'ids'
  | 'turns'
  | 'verdict_events'
  | 'verdict_configs'
  | 'verdict_versions'
  | 'verdict_unmet'
  | 'verdict_due_at'
  | 'event_types'
  | 'most'
  | 'most_of_client'
  | 'most_of_lead'
  | 'spreading'
  | 'offered_days'

/** A placeholder for a value in the statement. */
type Place = (name: Value) => RawBuilder<unknown>

/**
 * The whole statement: the steps, and the rows that it returns. These are the new due deliveries, the events that are
 * left, the configurations to be judged, and the deliveries of earlier runs that nobody has tried yet.
 */
const plan = compileOnce<PlannedRow, Record<Value, unknown>>(
  (value) => sql`
    with ${steps(value)}
    select 'due' as kind, id as delivery_id, event_id, webhook_config_id, client_user_id, turn, null as type, null::int as size,
      null::jsonb as asked, null::timestamptz as now
    from made where state = 'pending' and next_attempt_at <= now()
    union all
    select 'left', null, id, null, client_user_id, null, type, size, null, null from in_line where not fits
    union all
    select 'asked', null, null, null, null, null, null, null,
      jsonb_build_object('event_id', choosy.event_id, 'configurations',
        jsonb_agg(jsonb_build_object('webhook_config_id', choosy.webhook_config_id, 'version', choosy.version,
          'choice_id', choosy.choice_id)), 'lead',
        jsonb_build_object('lead_type', l.lead_type, 'source', l.source, 'state', l.state, 'age', l.age,
          'date_of_birth', l.date_of_birth, 'is_test', l.is_test, 'custom', l.custom)), now()
    from choosy join in_line on in_line.id = choosy.event_id and fits join leads l on l.id = choosy.lead_id
    group by choosy.event_id, l.id
    union all
    select 'due', d.id, d.event_id, d.webhook_config_id, d.client_user_id, d.turn, null, null, null, null from webhook_deliveries d
    where d.event_id = any(${value('ids')}::uuid[]) and d.resend_of is null
      and case d.state when 'pending' then d.attempt = 0 and d.next_attempt_at <= now() else false end`,
)

/** The steps in their order. Each is made of one or a few queries that read only earlier steps. */
function steps(value: Place): RawBuilder<unknown> {
  return sql`
    ${given(value)}, ${findUnplanned(value)}, ${FIND_LISTENING}, ${FIND_CHOOSY}, ${fitIn(value)}, ${MARK_PLANNED},
    ${writeDeliveries(value)}`
}

/**
 * `asked` and `verdicts` come from the caller. The lock timeout applies to this statement, which is its own
 * transaction.
 */
function given(value: Place): RawBuilder<unknown> {
  return sql`
    asked as (
      select t.* from (select set_config('lock_timeout', coalesce(${value('patience')}, current_setting('lock_timeout')), true)) patience
        cross join unnest(${value('ids')}::uuid[], ${value('turns')}::int[]) as t (id, turn)
    ), verdicts as materialized (
      select * from unnest(
        ${value('verdict_events')}::uuid[], ${value('verdict_configs')}::uuid[], ${value('verdict_versions')}::text[],
        ${value('verdict_unmet')}::jsonb[], ${value('verdict_due_at')}::timestamptz[]
      ) as t (event_id, webhook_config_id, version, unmet, due_at)
    )`
}

/**
 * `unplanned`: the events still to plan. Rows are looked up by id here. So conditions on planned_at, and on state
 * below, are written so that no partial index answers them: those indexes hold everything that waits, and the dead
 * entries of everything that did.
 */
function findUnplanned(value: Place): RawBuilder<unknown> {
  return sql`
    unplanned as (
      select e.id, e.type, e.lead_id, e.client_user_id, e.created_at, asked.turn,
        e.type <> 'lead.given' or e.data ? 'is_first' as is_for_all
      from asked join events e on e.id = asked.id
      where coalesce(e.planned_at, 'infinity') = 'infinity' and e.type = any(${value('event_types')}::text[])
    )`
}

/** SQL on `c`: the configuration's present triggers and conditions, and since when it has them. */
const HEARD_OF = sql`
  c.id as webhook_config_id, c.xmin::text as row_version, c.choice_since, c.trigger_on_lead_created, c.trigger_on_lead_assigned,
  c.member_user_id, c.conditions is not null as has_conditions, c.sending_hours is not null as has_hours`

/** `listening`: the configurations that had ticked an event's trigger when the event happened. */
const FIND_LISTENING = sql`
    heard as (
      -- Two ways to configurations, each by an index; one condition with "or" would look at every configuration there is.
      select e.id as event_id, e.type, e.lead_id, e.created_at as happened_at, e.is_for_all, ${HEARD_OF}
      from unplanned e join client_webhook_configs c on c.client_user_id = e.client_user_id
      union all
      select e.id, e.type, e.lead_id, e.created_at, e.is_for_all, ${HEARD_OF}
      from unplanned e
      join profiles p on p.role = 'admin' and p.status = 'active' and p.user_id is distinct from e.client_user_id
      join client_webhook_configs c on c.client_user_id = p.user_id
      where e.type = 'lead.created'
    ), owned as materialized (
      -- Locked, so that a lead that is being given to another person is read as it then is.
      select l.id, l.member_user_id from leads l
      where l.id = any(array(select h.lead_id from heard h where h.member_user_id is not null))
      order by l.id for share of l
    ), listening as (
      select h.event_id, h.lead_id, h.webhook_config_id, h.member_user_id, ${versionOf({ row: sql`h.row_version`, hasHours: sql`h.has_hours`, since: sql`h.choice_since` })} as version, k.id as choice_id,
        h.has_hours or case when k.id is null then h.has_conditions else k.conditions is not null end as is_choosy
      from heard h left join lateral (
        -- Only for what is planned later than its configuration was changed.
        select k.* from webhook_choices k
        where h.happened_at < h.choice_since and k.webhook_config_id = h.webhook_config_id and k.until > h.happened_at
        order by k.until limit 1) k on k.since <= h.happened_at
      where (h.happened_at >= h.choice_since or k.id is not null) and case h.type
        when 'lead.created' then coalesce(k.trigger_on_lead_created, h.trigger_on_lead_created)
        else coalesce(k.trigger_on_lead_assigned, h.trigger_on_lead_assigned) end
        and case when h.member_user_id is null then h.is_for_all
          else (select o.member_user_id = h.member_user_id from owned o where o.id = h.lead_id) end
    )`

/** `choosy`: those of them with conditions or sending hours that lack a verdict for their present version. */
const FIND_CHOOSY = sql`
    choosy as (
      select * from listening l where l.is_choosy and not exists (
        select from verdicts v where v.event_id = l.event_id and v.webhook_config_id = l.webhook_config_id
          and v.version = l.version)
    )`

/** `in_line`: whether the deliveries of each event fit within the limits, events of clients with few deliveries first. */
function fitIn(value: Place): RawBuilder<unknown> {
  return sql`
    sized as (
      select e.id, e.type, e.lead_id, e.client_user_id, count(l.event_id)::int as size,
        sum(count(l.event_id)) over (partition by e.client_user_id) as size_of_client
      from unplanned e left join listening l on l.event_id = e.id group by e.id, e.type, e.lead_id, e.client_user_id
    ), own as (
      select *, client_user_id is null or size = 0 or lead_id = first_value(lead_id) over of_client
        or sum(size) over of_client <= ${value('most_of_client')} as own_fits
      from sized window of_client as (partition by client_user_id order by id rows unbounded preceding)
    ), in_line as (
      select *, own_fits and coalesce(sum(size) filter (where own_fits) over (
        order by size_of_client, client_user_id, id rows between unbounded preceding and 1 preceding), 0) < ${value('most')} as fits
      from own
    )`
}

/** Marks the events that fit and wait for no verdict as planned. `wanted`: the deliveries that they make. */
const MARK_PLANNED = sql`
    planned as (
      update events e set planned_at = now(), enqueued_at = coalesce(enqueued_at, now()), failures = 0, failed_at = null
      from unplanned u join in_line on in_line.id = u.id and fits
      where e.id = u.id and coalesce(e.planned_at, 'infinity') = 'infinity'
        and not exists (select from choosy where choosy.event_id = u.id)
      returning e.id, case e.type when 'lead.given' then 'lead.assigned' else e.type end as type, e.lead_id, e.client_user_id, u.turn
    ), there as (
      -- One that is being deleted is waited for and left out; its reference would make PostgreSQL refuse the whole batch.
      select listening.event_id, listening.version, listening.member_user_id as heard_as, c.member_user_id, c.id, c.client_user_id, c.created_at, c.is_active, c.retired_at
      from planned join listening on listening.event_id = planned.id
      join client_webhook_configs c on c.id = listening.webhook_config_id
      order by c.id for key share of c
    ), wanted as (
      select e.id as event_id, e.type, e.lead_id, e.turn, c.id as webhook_config_id, c.client_user_id, c.created_at, c.is_active, v.unmet,
        greatest(now(), v.due_at) as due_at
      from planned e join there c on c.event_id = e.id
      left join verdicts v on v.event_id = e.id and v.webhook_config_id = c.id and v.version = c.version
      -- Of one that became another person's, or shared, while this statement waited for it, the present person counts.
      where (c.is_active or c.retired_at is null) and (c.member_user_id is null or c.member_user_id = c.heard_as
        or c.heard_as is null and c.member_user_id = (select l.member_user_id from leads l where l.id = e.lead_id))
    )`

/** Writes a delivery for each lead that meets the conditions, and a timeline entry for each that does not. */
function writeDeliveries(value: Place): RawBuilder<unknown> {
  return sql`
    skipped as (
      insert into events (type, lead_id, client_user_id, data, created_at, enqueued_at, planned_at)
      select 'delivery.skipped', lead_id, client_user_id, jsonb_build_object('webhook_config_id', webhook_config_id,
        'event', type, 'reason', 'conditions', 'unmet', unmet), now(), now(), now()
      from wanted where coalesce(jsonb_array_length(unmet), 0) > 0
    ), made as (
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, turn, state,
        next_attempt_at, offered_until)
      select event_id, type, webhook_config_id, client_user_id, lead_id,
        case when row_number() over (partition by event_id, client_user_id
          order by (is_active and due_at <= now()) desc, created_at, webhook_config_id)
          > case when client_user_id = any(${value('spreading')}::uuid[]) then 1 else ${value('most_of_lead')} end
          then greatest(turn, 1) else turn end,
        case when is_active then 'pending' else 'held' end, case when is_active then due_at end,
        case when not is_active then now() + make_interval(days => ${value('offered_days')}) end
      from wanted where coalesce(jsonb_array_length(unmet), 0) = 0
      on conflict do nothing
      returning id, event_id, webhook_config_id, client_user_id, turn, state, next_attempt_at
    )`
}

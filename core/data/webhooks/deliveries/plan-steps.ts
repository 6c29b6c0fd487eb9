import { sql, type RawBuilder } from 'kysely'
import { versionOf } from '../read-choices.ts'

/** The values of the statement, by name. */
export type Value =
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

/** The steps of planning in their order. Each is made of one or a few queries that read only earlier steps. */
export function steps(value: Place): RawBuilder<unknown> {
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
      -- The present person counts: a webhook may have become another's, or shared, while this statement waited for it.
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

import { sql, type Kysely, type RawBuilder } from 'kysely'

/**
 * One function decides who gets a lead, for any number of leads at once, and another one writes the result.
 * Ingest asks before it writes the leads, so that each is written once, in its final form;
 * `assign_lead_to_buyer_concurrent` asks about an existing one. A version that knows neither still calls the
 * latter for each lead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create type judged_assignment as (
      lead_id uuid, outcome text, reason text, lead_status text, buyer_id uuid, order_id uuid, price numeric(10, 2))`.execute(
    db,
  )
  await sql`
    comment on type judged_assignment is
      'lead_status: what the lead becomes, null where it stays as it is; buyer_id: null where nobody gets it'`.execute(
    db,
  )
  // Judges leads without a holder by the columns that decide. Plain SQL without settings of its own, so that
  // the planner can inline it. The caller holds the leads' locks, or nobody else can see them yet.
  await sql`
    create function judge_assignments(lead_ids uuid[], clients uuid[], tests boolean[])
    returns setof judged_assignment language sql stable rows 10 as $$
      select lead.id,
        case when lead.client is null and not lead.is_test then 'no_buyer'
          when lead.client is null or erased.id is not null then 'not_assignable' else 'assigned' end,
        case when lead.client is null and not lead.is_test then 'no_matching_order'
          when lead.client is null then 'test_lead_without_client'
          when erased.id is not null then 'client_erased' end,
        case when lead.client is null and not lead.is_test then 'unassigned'
          when lead.client is not null and erased.id is null then 'assigned' end,
        -- A test lead, or one from a source that names its client, can reach nobody else and costs nothing. Nobody else may
        -- have the lead of a client whose account was erased, and nobody would receive it: it stays as it is.
        case when erased.id is null then lead.client end,
        null::uuid,
        case when lead.client is not null and erased.id is null then 0::numeric(10, 2) end
      from unnest(lead_ids, clients, tests) as lead (id, client, is_test)
      left join auth.users erased on erased.id = lead.client and erased.deleted_at is not null
    $$`.execute(db)
  // The second half of every kind of assignment, in the caller's transaction: the leads' rows already have
  // the result.
  await sql`
    create function record_assignments(judged judged_assignment[])
    returns table (assignment lead_assignments, event_id uuid)
    language plpgsql volatile set search_path = public as $$
    begin
      return query
        with made as (
          insert into lead_assignments (lead_id, client_user_id, order_id, price)
          select j.lead_id, j.buyer_id, j.order_id, j.price from unnest(judged) j where j.buyer_id is not null
          returning lead_assignments as made_assignment
        ), told as (
          insert into events (type, lead_id, client_user_id, data)
          select 'lead.assigned', (made_assignment).lead_id, (made_assignment).client_user_id,
            jsonb_build_object('assignment_id', (made_assignment).id)
          from made
          returning events.id as told_id, events.lead_id as told_lead
        ), left_over as (
          insert into events (type, lead_id, data, enqueued_at, planned_at)
          select 'lead.unassigned', j.lead_id, jsonb_build_object('reason', j.reason), now(), now()
          from unnest(judged) j where j.buyer_id is null
        )
        select made_assignment, told_id from made join told on told_lead = (made_assignment).lead_id;
    end $$`.execute(db)
  await doorFunction(
    sql`judged judged_assignment;`,
    sql`
      select * into judged from judge_assignments(array[lead.id], array[lead.user_id], array[lead.is_test]);
      -- One that nobody wanted before, and wants now, has not changed.
      if judged.lead_status <> lead.status then
        update leads set status = judged.lead_status, assigned_to = judged.buyer_id,
            assigned_at = case when judged.buyer_id is not null then now() end,
            order_id = judged.order_id, price_charged = judged.price, updated_at = now()
          where id = lead.id;
        select (r.assignment).* into assigned from record_assignments(array[judged]) r;
      end if;
      if judged.buyer_id is null then
        return jsonb_build_object('success', false, 'outcome', judged.outcome, 'reason', judged.reason, 'lead_id', lead.id);
      end if;
      return assignment_result(true, judged.outcome, parameter_mismatch, assigned);`,
  ).execute(db)
  // record_assignment stays for calls that began before this migration; nobody calls it any more.
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await doorFunction(
    sql``,
    sql`
      -- A test lead, or one from a source that names its client, can reach nobody else and costs nothing.
      if lead.user_id is not null then
        if exists (select from auth.users u where u.id = lead.user_id and u.deleted_at is not null) then
          return jsonb_build_object('success', false, 'outcome', 'not_assignable', 'reason', 'client_erased', 'lead_id', lead.id);
        end if;
        insert into lead_assignments (lead_id, client_user_id, price) values (lead.id, lead.user_id, 0)
          returning * into assigned;
        return record_assignment(parameter_mismatch, assigned);
      end if;
      if lead.is_test then
        return jsonb_build_object('success', false, 'outcome', 'not_assignable', 'reason', 'test_lead_without_client', 'lead_id', lead.id);
      end if;

      if lead.status = 'new' then
        update leads set status = 'unassigned', updated_at = now() where id = lead.id;
        insert into events (type, lead_id, data, enqueued_at, planned_at)
          values ('lead.unassigned', lead.id, jsonb_build_object('reason', 'no_matching_order'), now(), now());
      end if;
      return jsonb_build_object('success', false, 'outcome', 'no_buyer', 'reason', 'no_matching_order', 'lead_id', lead.id);`,
  ).execute(db)
  await sql`drop function record_assignments(judged_assignment[])`.execute(db)
  await sql`drop function judge_assignments(uuid[], uuid[], boolean[])`.execute(db)
  await sql`drop type judged_assignment`.execute(db)
}

/** The procedure, with its decision about a lead that exists, has no holder, and is new or was left over. */
function doorFunction(declare: RawBuilder<unknown>, decide: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    create or replace function assign_lead_to_buyer_concurrent(
      lead_id_param uuid, lead_type_param text default null, lead_state_param text default null,
      lead_phone_param text default null, lead_email_param text default null
    ) returns jsonb language plpgsql volatile security definer set search_path = public as $$
    declare
      lead leads;
      assigned lead_assignments;
      ${declare}
      parameter_mismatch text;
    begin
      select * into lead from leads where id = lead_id_param for no key update;
      if not found then
        return jsonb_build_object('success', false, 'outcome', 'not_found', 'reason', 'lead_not_found', 'lead_id', lead_id_param);
      end if;

      -- The stored row wins over the parameters; a difference is told, never obeyed.
      if lead_type_param is distinct from lead.lead_type and lead_type_param is not null
        or upper(lead_state_param) is distinct from lead.state and lead_state_param is not null
        or lead_phone_param is distinct from lead.phone and lead_phone_param is not null
        or lower(lead_email_param) is distinct from lower(lead.email::text) and lead_email_param is not null
      then
        parameter_mismatch := 'parameter_mismatch';
      end if;

      select * into assigned from lead_assignments where lead_id = lead.id and state = 'active';
      if found then
        return assignment_result(true, 'already_assigned', parameter_mismatch, assigned);
      end if;
      if lead.status not in ('new', 'unassigned') then
        return jsonb_build_object('success', false, 'outcome', 'not_assignable', 'reason', 'status_' || lead.status, 'lead_id', lead.id);
      end if;

      ${decide}
    end $$`
}

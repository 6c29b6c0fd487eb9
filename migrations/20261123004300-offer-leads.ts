import { sql, type Kysely, type RawBuilder } from 'kysely'

/**
 * Only the worker decides who gets a lead without a client (worker/pipeline/0-assign-leads.ts). The procedure
 * offers such a lead: it says so once, and the worker decides a moment later.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await doorFunction(sql`
      if lead.user_id is null and not lead.is_test then
        insert into events (type, lead_id)
          select 'lead.offered', lead.id where not exists (
            select from events where lead_id = lead.id and type = 'lead.offered' and coalesce(planned_at, 'infinity') = 'infinity');
        return jsonb_build_object('success', false, 'outcome', 'no_buyer', 'reason', 'offered', 'lead_id', lead.id);
      end if;`).execute(db)
  // A past holder does not get a lead again; few leads are returned.
  await sql`create index lead_assignments_past on lead_assignments (lead_id) where state <> 'active'`.execute(
    db,
  )
  await sql`create index leads_held on leads ((coalesce(expires_at, created_at))) where status = 'unassigned'`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await doorFunction(sql``).execute(db)
  await sql`drop index lead_assignments_past, leads_held`.execute(db)
}

/** The procedure as it was, except for a lead that is to be sold. */
function doorFunction(offer: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    create or replace function assign_lead_to_buyer_concurrent(
      lead_id_param uuid, lead_type_param text default null, lead_state_param text default null,
      lead_phone_param text default null, lead_email_param text default null
    ) returns jsonb language plpgsql volatile security definer set search_path = public as $$
    declare
      lead leads;
      assigned lead_assignments;
      judged judged_assignment;
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
      ${offer}

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
      return assignment_result(true, judged.outcome, parameter_mismatch, assigned);
    end $$`
}

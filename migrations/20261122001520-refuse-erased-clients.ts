import { sql, type Kysely, type RawBuilder } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A lead of an erased client may go to nobody else, and nobody would receive it, so it stays as it is.
  await assignLeadFunction(sql`
        if exists (select from auth.users u where u.id = lead.user_id and u.deleted_at is not null) then
          return jsonb_build_object('success', false, 'outcome', 'not_assignable', 'reason', 'client_erased', 'lead_id', lead.id);
        end if;`).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await assignLeadFunction(sql``).execute(db)
}

/** The function as it was created, except for the refusal of a lead that names its client. */
function assignLeadFunction(refusal: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    create or replace function assign_lead_to_buyer_concurrent(
      lead_id_param uuid, lead_type_param text default null, lead_state_param text default null,
      lead_phone_param text default null, lead_email_param text default null
    ) returns jsonb language plpgsql volatile security definer set search_path = public as $$
    declare
      lead leads;
      assignment lead_assignments;
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

      select * into assignment from lead_assignments where lead_id = lead.id and state = 'active';
      if found then
        return assignment_result(true, 'already_assigned', parameter_mismatch, assignment);
      end if;
      if lead.status not in ('new', 'unassigned') then
        return jsonb_build_object('success', false, 'outcome', 'not_assignable', 'reason', 'status_' || lead.status, 'lead_id', lead.id);
      end if;

      -- A test lead, or one from a source that names its client, can reach nobody else and costs nothing.
      if lead.user_id is not null then
        ${refusal}
        insert into lead_assignments (lead_id, client_user_id, price) values (lead.id, lead.user_id, 0)
          returning * into assignment;
        return record_assignment(parameter_mismatch, assignment);
      end if;
      if lead.is_test then
        return jsonb_build_object('success', false, 'outcome', 'not_assignable', 'reason', 'test_lead_without_client', 'lead_id', lead.id);
      end if;

      if lead.status = 'new' then
        update leads set status = 'unassigned', updated_at = now() where id = lead.id;
        insert into events (type, lead_id, data, enqueued_at, planned_at)
          values ('lead.unassigned', lead.id, jsonb_build_object('reason', 'no_matching_order'), now(), now());
      end if;
      return jsonb_build_object('success', false, 'outcome', 'no_buyer', 'reason', 'no_matching_order', 'lead_id', lead.id);
    end $$`
}

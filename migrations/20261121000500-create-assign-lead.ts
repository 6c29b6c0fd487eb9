import { sql, type Kysely } from 'kysely'

/**
 * Business outcomes are values (`outcome`); only real errors raise. The lead's row lock serialises every
 * caller, so the second of two finds the assignment of the first and answers with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Builds every answer that names an assignment (docs/product.md §7). It never contains another client's
  // data.
  await sql`
    create function assignment_result(success boolean, outcome text, reason text, assignment lead_assignments)
    returns jsonb language sql immutable as $$
      select jsonb_build_object(
        'success', success, 'outcome', outcome, 'reason', reason,
        'lead_id', (assignment).lead_id, 'buyer_id', (assignment).client_user_id, 'order_id', (assignment).order_id,
        'assignment_id', (assignment).id, 'price', (assignment).price, 'balance_after', null,
        'assigned_at', (assignment).assigned_at)
    $$`.execute(db)
  // The last step of every kind of assignment: lead row and outbox event, in the caller's transaction.
  await sql`
    create function record_assignment(reason text, assignment lead_assignments)
    returns jsonb language plpgsql volatile set search_path = public as $$
    begin
      update leads set status = 'assigned', assigned_to = assignment.client_user_id, assigned_at = assignment.assigned_at,
          order_id = assignment.order_id, price_charged = assignment.price, updated_at = now()
        where id = assignment.lead_id;
      insert into events (type, lead_id, client_user_id, data)
        values ('lead.assigned', assignment.lead_id, assignment.client_user_id,
          jsonb_build_object('assignment_id', assignment.id));
      return assignment_result(true, 'assigned', reason, assignment);
    end $$`.execute(db)
  await sql`
    create function assign_lead_to_buyer_concurrent(
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
    end $$`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function assign_lead_to_buyer_concurrent(uuid, text, text, text, text)`.execute(db)
  await sql`drop function record_assignment(text, lead_assignments)`.execute(db)
  await sql`drop function assignment_result(boolean, text, text, lead_assignments)`.execute(db)
}

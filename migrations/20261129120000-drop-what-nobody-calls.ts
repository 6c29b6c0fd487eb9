import { sql, type Kysely } from 'kysely'

/** Nothing may wait behind this migration for the table of leads. */
export const isOutsideTransaction = true

/**
 * No server stores a lead as `unassigned` any more, so nothing fires `offer_left_over`; no function calls `record_assignment`. Versions
 * from 0.1.0 on use neither.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await takeInAnInstant(db, 'drop trigger if exists offer_left_over on leads')
  await sql`drop function if exists offer_left_over()`.execute(db)
  await sql`drop function if exists record_assignment(text, lead_assignments)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function record_assignment(reason text, assignment lead_assignments)
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
    create or replace function offer_left_over() returns trigger language plpgsql set search_path = public as $$
    begin
      perform from lead_types order by code for no key update;
      update lead_types set offer_again_at = now()
      where code = new.lead_type and (offer_again_at is null or offer_again_at > now());
      return null;
    end $$`.execute(db)
  await takeInAnInstant(
    db,
    `drop trigger if exists offer_left_over on leads;
    create constraint trigger offer_left_over after insert on leads deferrable initially deferred
    for each row when (new.status = 'unassigned') execute function offer_left_over()`,
  )
}

/** Runs statements that need the table for themselves; nobody waits behind them for long. */
async function takeInAnInstant(db: Kysely<unknown>, statements: string): Promise<void> {
  await sql`
    do $do$
    begin
      loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          ${sql.raw(statements)};
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $do$`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** It holds two busy tables for a moment, and is a transaction by itself. */
export const isOutsideTransaction = true

/**
 * Each event of a lead asked whether that lead is there, and to ask so it locked the lead's row: with every delivery that ended, a
 * page of leads went into the journal. Whoever writes an event has read or written its lead in the same statement, and leads stay
 * for good; should one be deleted by hand, its events go with it as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function delete_events_of_leads() returns trigger
    language plpgsql set search_path = public as $$
    begin
      delete from events where lead_id in (select id from gone);
      return null;
    end $$`.execute(db)
  // Statements take the two tables in either order. Who would wait for one of them while he holds the other lets go and tries again,
  // so that nobody's statement is ended for it, or waits for longer than that.
  await sql`
    do $$
    begin
      for try in 1..600 loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          lock table leads, events in access exclusive mode;
          alter table events drop constraint if exists events_lead_id_fkey;
          create or replace trigger leads_take_their_events after delete on leads
            referencing old table as gone for each statement execute function delete_events_of_leads();
          return;
        exception when lock_not_available then
          perform pg_sleep(0.1);
        end;
      end loop;
      raise exception 'leads or events were never free for a moment; try again when less is going on';
    end $$`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger if exists leads_take_their_events on leads`.execute(db)
  await sql`drop function if exists delete_events_of_leads()`.execute(db)
  await sql`
    delete from events e where lead_id is not null and not exists (select from leads l where l.id = e.lead_id)`.execute(
    db,
  )
  await sql`
    alter table events add constraint events_lead_id_fkey
      foreign key (lead_id) references leads (id) on delete cascade`.execute(db)
}

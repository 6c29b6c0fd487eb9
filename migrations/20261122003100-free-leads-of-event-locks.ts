import { sql, type Kysely } from 'kysely'

/** Holds two busy tables for a moment, in a transaction of its own. */
export const isOutsideTransaction = true

/**
 * The foreign key of each event locked its lead's row: with every delivery that ended, a page of leads went
 * into the WAL. A writer of an event has read or written its lead in the same statement, and leads are never
 * deleted. If one is deleted by hand, a trigger deletes its events as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function delete_events_of_leads() returns trigger
    language plpgsql set search_path = public as $$
    begin
      delete from events where lead_id in (select id from gone);
      return null;
    end $$`.execute(db)
  // Statements lock the two tables in either order. So we release both and try again when the second one is
  // taken, and no other statement is ended or waits longer than that.
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

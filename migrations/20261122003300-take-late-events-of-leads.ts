import { sql, type Kysely } from 'kysely'

/**
 * A writer of a delivery's event locks the delivery or its event, and no longer the lead. If a lead is
 * deleted by hand at that moment, the deletion waits for the writer while it removes events, and does not see
 * the new ones. So it repeats until no event is left.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function delete_events_of_leads() returns trigger
    language plpgsql set search_path = public as $$
    begin
      loop
        delete from events where lead_id in (select id from gone);
        exit when not found;
      end loop;
      return null;
    end $$`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function delete_events_of_leads() returns trigger
    language plpgsql set search_path = public as $$
    begin
      delete from events where lead_id in (select id from gone);
      return null;
    end $$`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * Whoever tells of a delivery holds that delivery or its event, and no longer the lead. A lead that is deleted by hand at that moment
 * waits for it while its events go, and does not see what was told meanwhile: so it looks again until nothing is left.
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

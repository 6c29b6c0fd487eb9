import { sql, type Kysely } from 'kysely'

/** It holds two busy tables for a moment, and is a transaction by itself. */
export const isOutsideTransaction = true

/**
 * Each assignment asked whether its lead is there, and locked the lead's row for it, which is a record in the journal. Whoever writes an
 * assignment has written or locked its lead in the same transaction; a lead that is deleted by hand takes its assignments with it as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function delete_assignments_of_leads() returns trigger
    language plpgsql set search_path = public as $$
    begin
      delete from lead_assignments where lead_id in (select id from gone);
      return null;
    end $$`.execute(db)
  // Who would wait for one of the tables while he holds the other lets go and tries again, so that nobody waits behind it.
  await sql`
    do $$
    begin
      for try in 1..600 loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          lock table leads, lead_assignments in access exclusive mode;
          alter table lead_assignments drop constraint if exists lead_assignments_lead_id_fkey;
          create or replace trigger leads_take_their_assignments after delete on leads
            referencing old table as gone for each statement execute function delete_assignments_of_leads();
          return;
        exception when lock_not_available then
          perform pg_sleep(0.1);
        end;
      end loop;
      raise exception 'leads or assignments were never free for a moment; try again when less is going on';
    end $$`.execute(db)
  // webhook_deliveries_open, _paused and _offered have the same rows in the same order.
  await sql`drop index concurrently if exists webhook_deliveries_held`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index concurrently if not exists webhook_deliveries_held on webhook_deliveries (webhook_config_id, created_at)
    where state = 'held'`.execute(db)
  await sql`drop trigger if exists leads_take_their_assignments on leads`.execute(db)
  await sql`drop function if exists delete_assignments_of_leads()`.execute(db)
  await sql`
    delete from lead_assignments a where not exists (select from leads l where l.id = a.lead_id)`.execute(db)
  await sql`
    alter table lead_assignments add constraint lead_assignments_lead_id_fkey
      foreign key (lead_id) references leads (id) on delete cascade`.execute(db)
}

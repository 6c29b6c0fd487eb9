import { sql, type Kysely } from 'kysely'

/** Deliveries may be millions, so nothing may wait for this migration. */
export const isOutsideTransaction = true

/**
 * Changes of recent leads, nearly all deliveries, are not noted, and comparing the lead's time is cheaper
 * than the noting statement. A worker that records attempts in batches notes them itself and sets a flag
 * (core/data/market/note-days.ts); an older version does not, so the trigger still runs for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function note_day_of_its_lead() returns trigger language plpgsql security definer set search_path = public as $$
    declare
      came timestamptz;
      lead uuid := coalesce(new.lead_id, old.lead_id);
      client uuid := coalesce(new.client_user_id, old.client_user_id);
    begin
      select created_at into came from leads where id = lead;
      if came < now() - interval '36 hours' and client is not null then
        insert into lead_day_changes (client_user_id, quarter)
        values (client, date_bin('15 minutes', came, '2000-01-01 00:00+00'));
      end if;
      return null;
    end $$`.execute(db)
  await replaceTrigger(
    db,
    `${CHANGED} and current_setting('leadwire.days_are_noted', true) is distinct from 'yes'`,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replaceTrigger(db, CHANGED)
  await sql`
    create or replace function note_day_of_its_lead() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      insert into lead_day_changes (client_user_id, quarter)
      select distinct client, date_bin('15 minutes', at, '2000-01-01 00:00+00') from (
        select coalesce(new.client_user_id, old.client_user_id) as client, created_at as at from leads
        where id = coalesce(new.lead_id, old.lead_id)) changed
      where client is not null and at < now() - interval '36 hours';
      return null;
    end $$`.execute(db)
}

const CHANGED = '(old.state <> new.state or (old.attempt > 0) <> (new.attempt > 0))'

/** Needs the table for itself for an instant; nobody waits behind it for long. */
async function replaceTrigger(db: Kysely<unknown>, when: string): Promise<void> {
  await sql`
    do $do$
    begin
      loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          create or replace trigger note_day_changed after update of state, attempt on webhook_deliveries for each row
            when (${sql.raw(when)}) execute function note_day_of_its_lead();
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $do$`.execute(db)
}

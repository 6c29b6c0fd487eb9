import { sql, type Kysely } from 'kysely'

/**
 * Old rows are removed in pieces (core/use-cases/retention). `retention_progress` says how far each removal has come, so
 * that a later run does not read what an earlier one has done. `removed_outcomes` has the outcomes of removed deliveries, by
 * lead and client, so figures stay and no sum of a day is void. The audit log loses rows only by age.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table retention_progress (
      what text primary key,
      reached uuid not null default '00000000-0000-0000-0000-000000000000',
      removed_until timestamptz,
      removed bigint not null default 0,
      holder uuid,
      lease_until timestamptz,
      ended_at timestamptz
    )`.execute(db)
  await sql`
    create table removed_outcomes (
      lead_id uuid not null,
      client_user_id uuid not null,
      attempted integer not null,
      delivered integer not null,
      failed integer not null,
      primary key (lead_id, client_user_id)
    )`.execute(db)
  await sql`
    create or replace function auth.refuse_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('leadwire.removes_by_age', true) = 'yes' then return null; end if;
      raise exception 'auth.audit_log only grows';
    end $$`.execute(db)
  await sql`
    create function auth.refuse_young() returns trigger language plpgsql as $$
    begin
      raise exception 'auth.audit_log loses only rows that are older than a year';
    end $$`.execute(db)
  await sql`
    create trigger audit_log_keeps_a_year before delete on auth.audit_log
      for each row when (old.at > now() - interval '365 days') execute function auth.refuse_young()`.execute(
    db,
  )
  await sql`
    create or replace trigger note_day_removed after delete on webhook_deliveries referencing old table as touched
      for each statement when (current_setting('leadwire.days_are_noted', true) is distinct from 'yes')
      execute function note_days_of_their_leads()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace trigger note_day_removed after delete on webhook_deliveries referencing old table as touched
      for each statement execute function note_days_of_their_leads()`.execute(db)
  await sql`drop trigger audit_log_keeps_a_year on auth.audit_log`.execute(db)
  await sql`drop function auth.refuse_young()`.execute(db)
  await sql`
    create or replace function auth.refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'auth.audit_log only grows';
    end $$`.execute(db)
  await sql`drop table removed_outcomes, retention_progress`.execute(db)
}

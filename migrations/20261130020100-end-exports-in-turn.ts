import { sql, type Kysely } from 'kysely'

/**
 * A person whose role changes loses the exports that the new role may not read; they keep the others. The change and the
 * end of an export wait for each other, so an export that is finished meanwhile is removed too. An administrator who
 * becomes a client loses the exports of all accounts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function hold_exports_of(person uuid) returns void language sql set search_path = public as $$
      select pg_advisory_xact_lock(hashtext('exports of'), hashtext(person::text))
    $$`.execute(db)
  await sql`
    create or replace function end_exports_of_member() returns trigger language plpgsql set search_path = public as $$
    declare
      member account_members := case when tg_op = 'DELETE' then old else new end;
      role text := case when tg_op = 'DELETE' then 'none' else new.role end;
      kinds text[] := case role
        when 'owner' then array['leads', 'ledger'] when 'manager' then array['leads'] when 'agent' then array['leads']
        when 'finance' then array['ledger'] else array[]::text[] end;
    begin
      perform hold_exports_of(member.user_id);
      update exports set state = 'waiting', lease_until = null
      where account_id = member.account_id and asked_by = member.user_id and state = 'running';
      with gone as (
        delete from exports
        where account_id = member.account_id and asked_by = member.user_id and state in ('done', 'failed')
          and not (kind = any(kinds) and (role <> 'agent' or coalesce(member_user_id = member.user_id, false)))
        returning file_name)
      delete from stored_files f using gone where f.bucket_id = 'exports' and f.name = gone.file_name;
      return null;
    end $$`.execute(db)
  await sql`
    create function end_exports_of_administrator() returns trigger language plpgsql set search_path = public as $$
    begin
      perform hold_exports_of(new.user_id);
      update exports set state = 'waiting', lease_until = null
      where asked_by = new.user_id and is_of_all and state = 'running';
      with gone as (
        delete from exports where asked_by = new.user_id and is_of_all and state in ('done', 'failed') returning file_name)
      delete from stored_files f using gone where f.bucket_id = 'exports' and f.name = gone.file_name;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger end_exports_of_former_administrator after update of role on profiles
    for each row when (old.role = 'admin' and new.role <> 'admin')
    execute function end_exports_of_administrator()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger end_exports_of_former_administrator on profiles`.execute(db)
  await sql`drop function end_exports_of_administrator`.execute(db)
  await sql`
    create or replace function end_exports_of_member() returns trigger language plpgsql set search_path = public as $$
    declare
      member account_members := case when tg_op = 'DELETE' then old else new end;
    begin
      update exports set state = 'waiting', lease_until = null
      where account_id = member.account_id and asked_by = member.user_id and state = 'running';
      delete from stored_files f using exports e
      where e.account_id = member.account_id and e.asked_by = member.user_id and e.state = 'done'
        and f.bucket_id = 'exports' and f.name = e.file_name;
      delete from exports
      where account_id = member.account_id and asked_by = member.user_id and state in ('done', 'failed');
      return null;
    end $$`.execute(db)
  await sql`drop function hold_exports_of`.execute(db)
}

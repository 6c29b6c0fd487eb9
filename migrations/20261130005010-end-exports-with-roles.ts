import { sql, type Kysely } from 'kysely'

/**
 * A person whose role in an account changes, or who is removed from it, may read other rows than before: the files that
 * they asked for are removed, and one that is being made is judged again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function end_exports_of_member() returns trigger language plpgsql set search_path = public as $$
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
  // A founder's first row as the owner changes nothing.
  await sql`
    create trigger end_exports_of_new_member after insert on account_members
    for each row when (new.role <> 'owner') execute function end_exports_of_member()`.execute(db)
  await sql`
    create trigger end_exports_of_changed_member after update of role on account_members
    for each row when (new.role <> old.role) execute function end_exports_of_member()`.execute(db)
  await sql`
    create trigger end_exports_of_removed_member after delete on account_members
    for each row execute function end_exports_of_member()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const which of ['new', 'changed', 'removed'])
    await sql`drop trigger ${sql.id(`end_exports_of_${which}_member`)} on account_members`.execute(db)
  await sql`drop function end_exports_of_member`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * A source has several keys, and it can be stopped. `sources.api_key_hash` stays the one key that servers of
 * older versions know: the key of a new source, otherwise the oldest valid one. Triggers copy what they write
 * there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table source_keys (
      id uuid primary key default uuid_v7(),
      source_id uuid not null references sources (id) on delete cascade,
      key_hash bytea not null unique,
      key_prefix text not null,
      created_by uuid references profiles (user_id) on delete set null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index source_keys_source_id on source_keys (source_id)`.execute(db)
  await sql`create index source_keys_created_by on source_keys (created_by)`.execute(db)
  await sql`
    alter table sources add column stopped_at timestamptz, add column stop_reason text,
      add constraint sources_stopped check (stopped_at is null or revoked_at is not null)`.execute(db)
  await sql`
    create function keep_key_of_new_source() returns trigger language plpgsql set search_path = public as $$
    begin
      insert into source_keys (source_id, key_hash, key_prefix, created_by, created_at, revoked_at)
        values (new.id, new.api_key_hash, new.api_key_prefix, new.created_by, new.created_at, new.revoked_at);
      return null;
    end $$`.execute(db)
  await sql`
    create function end_keys_of_source() returns trigger language plpgsql set search_path = public as $$
    begin
      update source_keys set revoked_at = new.revoked_at where source_id = new.id and revoked_at is null;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger keep_key_of_new_source after insert on sources for each row execute function keep_key_of_new_source()`.execute(
    db,
  )
  await sql`
    create trigger end_keys_of_source after update of revoked_at on sources for each row
    when (old.revoked_at is null and new.revoked_at is not null) execute function end_keys_of_source()`.execute(
    db,
  )
  // Runs after the trigger has locked the table, so no source is created in between.
  await sql`
    insert into source_keys (source_id, key_hash, key_prefix, created_by, created_at, last_used_at, revoked_at)
    select id, api_key_hash, api_key_prefix, created_by, created_at, last_used_at, revoked_at from sources`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger keep_key_of_new_source on sources`.execute(db)
  await sql`drop trigger end_keys_of_source on sources`.execute(db)
  await sql`drop function keep_key_of_new_source()`.execute(db)
  await sql`drop function end_keys_of_source()`.execute(db)
  await sql`alter table sources drop column stopped_at, drop column stop_reason`.execute(db)
  await sql`drop table source_keys`.execute(db)
}

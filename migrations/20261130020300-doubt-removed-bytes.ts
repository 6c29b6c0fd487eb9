import { sql, type Kysely } from 'kysely'

/**
 * Bytes whose removal was not confirmed may disappear later, so no file gets them for a while. The bytes of many removed
 * files are noted together: each row alone would change one row as often as it has files.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table file_contents add column doubtful_until timestamptz`.execute(db)
  await sql`
    create function note_bytes_of_removed() returns trigger language plpgsql set search_path = public as $$
    begin
      update file_contents set look_at = greatest(look_at, now())
      where sha256 = any(array(select distinct sha256 from removed));
      return null;
    end $$`.execute(db)
  await sql`drop trigger note_bytes_of_removed on stored_files`.execute(db)
  await sql`
    create trigger note_bytes_of_removed after delete on stored_files
    referencing old table as removed for each statement execute function note_bytes_of_removed()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger note_bytes_of_removed on stored_files`.execute(db)
  await sql`
    create trigger note_bytes_of_removed after delete on stored_files
    for each row execute function note_freed_bytes()`.execute(db)
  await sql`drop function note_bytes_of_removed`.execute(db)
  await sql`alter table file_contents drop column doubtful_until`.execute(db)
}

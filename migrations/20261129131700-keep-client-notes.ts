import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/** Notes that administrators keep about clients. They never change; an erasure of the account removes them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists client_notes (
      id uuid primary key default uuid_v7(),
      client_user_id uuid not null references auth.users (id) on delete cascade,
      author_user_id uuid references auth.users (id) on delete set null,
      text text not null check (length(text) between 1 and 2000),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index if not exists client_notes_client on client_notes (client_user_id, created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index if not exists client_notes_author on client_notes (author_user_id)`.execute(db)
  await sql`
    create or replace function keep_client_note() returns trigger language plpgsql as $$
    begin
      if new.text is distinct from old.text or new.created_at is distinct from old.created_at
        or new.client_user_id is distinct from old.client_user_id then
        raise exception 'a note of client_notes stays as it is' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create or replace trigger keep_client_note before update on client_notes
    for each row execute function keep_client_note()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table client_notes`.execute(db)
  await sql`drop function keep_client_note()`.execute(db)
}

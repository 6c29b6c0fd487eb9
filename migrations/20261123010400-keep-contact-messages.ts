import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_messages (
      id uuid primary key default uuid_v7(),
      reference text not null unique,
      topic text not null,
      name text not null,
      email text not null,
      message text not null,
      created_at timestamptz not null default now(),
      answered_at timestamptz
    )`.execute(db)
  await sql`create index contact_messages_newest on contact_messages (created_at desc, id desc)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table contact_messages`.execute(db)
}

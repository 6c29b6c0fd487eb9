import { sql, type Kysely } from 'kysely'

/**
 * Keeps how the promise of first attempts was kept in each past hour, for the status page, and the incidents that
 * administrators write there. Hours before this migration are not counted: nothing noted then which leads were late.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table promise_hours (
      hour timestamptz primary key,
      form integer not null,
      counted_at timestamptz not null default now(),
      begun integer not null,
      late integer not null
    )`.execute(db)
  await sql`insert into promise_hours (hour, form, begun, late) values (date_trunc('hour', now()), 0, 0, 0)`.execute(
    db,
  )
  await sql`
    create table incidents (
      id uuid primary key default uuid_v7(),
      title text not null check (length(title) between 1 and 120),
      message text not null check (length(message) between 1 and 2000),
      began_at timestamptz not null,
      ended_at timestamptz check (ended_at >= began_at),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index incidents_began on incidents (began_at desc)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table incidents`.execute(db)
  await sql`drop table promise_hours`.execute(db)
}

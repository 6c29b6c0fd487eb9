import { sql, type Kysely } from 'kysely'

/** Files of leads or ledger entries that somebody asked for, which a worker makes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exports (
      id uuid primary key default uuid_v7(),
      account_id uuid not null,
      asked_by uuid not null,
      -- only rows of this person of the account
      member_user_id uuid,
      kind text not null check (kind in ('leads', 'ledger')),
      filters jsonb not null default '{}' check (jsonb_typeof(filters) = 'object'),
      state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
      rows_done integer not null default 0,
      -- null until they are counted
      rows_all integer,
      -- the name of its object in the bucket exports
      file_name text not null,
      size bigint,
      failure text,
      -- how often it was begun; the fencing token of the worker that makes it
      tries integer not null default 0,
      lease_until timestamptz,
      created_at timestamptz not null default now(), started_at timestamptz, finished_at timestamptz,
      check ((state in ('done', 'failed')) = (finished_at is not null)),
      check (state <> 'done' or size is not null)
    )`.execute(db)
  await sql`create index exports_of_person on exports (account_id, asked_by, created_at, id)`.execute(db)
  await sql`
    create index exports_to_make on exports (created_at, id) where state in ('waiting', 'running')`.execute(
    db,
  )
  await sql`create index exports_made on exports (finished_at) where finished_at is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table exports`.execute(db)
}

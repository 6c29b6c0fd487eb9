import { sql, type Kysely } from 'kysely'

/** Runs that show what a client's endpoint does with what really happens; a worker makes them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table endpoint_certifications (
      id uuid primary key default uuid_v7(),
      -- no reference: the limit of runs for a host also counts those of deleted webhooks
      webhook_config_id uuid not null,
      client_user_id uuid not null,
      -- the endpoint's host name, without its port
      host text not null,
      -- a hash of what its requests are made with; another one ends the certification
      fingerprint text not null,
      state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'stopped')),
      stop text,
      grade text check (grade in ('A', 'B', 'C', 'D', 'F')),
      steps jsonb not null default '[]' check (jsonb_typeof(steps) = 'array'),
      -- how often it was begun; the fencing token of the worker that makes it
      tries integer not null default 0,
      lease_until timestamptz,
      created_at timestamptz not null default now(), started_at timestamptz, finished_at timestamptz,
      check ((state in ('done', 'stopped')) = (finished_at is not null)),
      check ((state = 'done') = (grade is not null)),
      check ((state = 'stopped') = (stop is not null))
    )`.execute(db)
  await sql`create index certifications_of_webhook on endpoint_certifications (webhook_config_id, created_at)`.execute(
    db,
  )
  await sql`create index certifications_of_client on endpoint_certifications (client_user_id)`.execute(db)
  await sql`create index certifications_of_host on endpoint_certifications (host, created_at)`.execute(db)
  await sql`
    create index certifications_to_make on endpoint_certifications (created_at, id)
    where state in ('waiting', 'running')`.execute(db)
  await sql`create index certifications_by_age on endpoint_certifications (created_at)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table endpoint_certifications`.execute(db)
}

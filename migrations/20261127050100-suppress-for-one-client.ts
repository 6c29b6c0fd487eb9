import { sql, type Kysely } from 'kysely'

/**
 * People who told one client, about a lead of its own, not to be contacted: that client's orders skip them,
 * all others do not. A separate table, because servers and workers of older versions apply every row of
 * `suppressions` to all clients.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table client_suppressions (
      id uuid primary key default uuid_v7(),
      client_user_id uuid not null references profiles (user_id) on delete cascade,
      kind text not null check (kind in ('phone', 'email')),
      hash bytea not null check (length(hash) = 32),
      reason text not null check (reason = 'do_not_contact'),
      created_by uuid,
      created_at timestamptz not null default now(),
      unique (kind, hash, client_user_id)
    )`.execute(db)
  await sql`create index client_suppressions_of_client on client_suppressions (client_user_id)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table client_suppressions`.execute(db)
}

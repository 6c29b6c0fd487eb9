import { sql, type Kysely } from 'kysely'

/**
 * Keys of programs that act for the service itself. A key names its row; the first row stands for all keys that were
 * made before, which name none, and for those made without the database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table auth.service_keys (
      id uuid primary key default uuid_v7(),
      name text not null,
      created_at timestamptz not null default clock_timestamp(),
      expires_at timestamptz,
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db)
  await sql`
    insert into auth.service_keys (id, name)
    values ('00000000-0000-0000-0000-000000000000', 'Keys that are not listed')`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table auth.service_keys`.execute(db)
}

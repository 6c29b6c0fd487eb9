import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Codes that replace a lost second factor, each valid once. They are bound to their owner under the key of
  // one-time codes.
  await sql`
    create table auth.recovery_codes (
      user_id uuid not null references auth.users (id) on delete cascade,
      code_mac bytea not null,
      created_at timestamptz not null default now(),
      used_at timestamptz,
      primary key (user_id, code_mac)
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table auth.recovery_codes`.execute(db)
}

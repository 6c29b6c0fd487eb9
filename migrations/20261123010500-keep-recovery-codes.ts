import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Codes that stand in for a second factor which is lost, each good once. Bound to their owner under the key of one-time codes.
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

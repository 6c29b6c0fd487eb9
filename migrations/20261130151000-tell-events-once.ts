import { sql, type Kysely } from 'kysely'

/** Events beside the lead that a chore finds again at each look, until it has noted here that they were told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists told_events (
      client_user_id uuid not null references profiles (user_id) on delete cascade,
      type text not null,
      key text not null,
      told_at timestamptz not null default now(),
      primary key (client_user_id, type, key)
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table told_events`.execute(db)
}

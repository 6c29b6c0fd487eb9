import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Binds a flow to its beginning: the browser that holds the secret behind this hash, or, to link an
  // identity, the session and its network. If that session ends, the request to link ends too.
  await sql`
    alter table auth.flows
      add column browser_hash bytea check (length(browser_hash) = 32),
      add column linking_session_id uuid references auth.sessions (id) on delete cascade,
      add column linking_network text,
      add column linking_person_sealed text`.execute(db)
  await sql`
    create index flows_linking_session_id on auth.flows (linking_session_id)
    where linking_session_id is not null`.execute(db)
  await sql`create index flows_user_id on auth.flows (user_id) where user_id is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index auth.flows_user_id, auth.flows_linking_session_id`.execute(db)
  await sql`
    alter table auth.flows
      drop column browser_hash, drop column linking_session_id, drop column linking_network,
      drop column linking_person_sealed`.execute(db)
}

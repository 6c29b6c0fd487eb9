import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Lists rows newest first, page by page: of one account, of all, and of one action.
  await sql`drop index auth.audit_log_user_id`.execute(db)
  await sql`create index audit_log_user_id_at on auth.audit_log (user_id, at desc, id desc)`.execute(db)
  await sql`create index audit_log_at on auth.audit_log (at desc, id desc)`.execute(db)
  await sql`create index audit_log_action_at on auth.audit_log (action, at desc, id desc)`.execute(db)
  // Alerts read the last minutes of an IP address without an account.
  await sql`create index audit_log_ip_at on auth.audit_log (ip, at) where user_id is null`.execute(db)
  await sql`drop index auth.security_events_user_id`.execute(db)
  await sql`
    create index security_events_user_id on auth.security_events (user_id, received_at desc, id desc)`.execute(
    db,
  )
  await sql`
    create index security_events_ip on auth.security_events (ip, received_at desc) where user_id is null`.execute(
    db,
  )

  // A code sent by send-otp-email. An address without an account has a row too, so that nothing can be
  // learned by guessing. Address and code are kept as HMACs.
  await sql`
    create table auth.mailed_codes (
      address_mac bytea primary key check (length(address_mac) = 32),
      user_id uuid references auth.users (id) on delete cascade,
      code_mac bytea not null check (length(code_mac) = 32),
      wrong_attempts integer not null default 0,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index mailed_codes_expires_at on auth.mailed_codes (expires_at)`.execute(db)
  await sql`create index mailed_codes_user_id on auth.mailed_codes (user_id)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table auth.mailed_codes`.execute(db)
  await sql`drop index auth.security_events_ip, auth.security_events_user_id, auth.audit_log_ip_at,
    auth.audit_log_action_at, auth.audit_log_at, auth.audit_log_user_id_at`.execute(db)
  await sql`create index audit_log_user_id on auth.audit_log (user_id, id)`.execute(db)
  await sql`create index security_events_user_id on auth.security_events (user_id, received_at)`.execute(db)
}

import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table auth.users
      add column phone text unique check (phone ~ '^[1-9][0-9]{4,14}$'),
      add column phone_confirmed_at timestamptz,
      add column role text not null default 'authenticated',
      add column is_sso_user boolean not null default false,
      add column confirmation_sent_at timestamptz,
      add column invited_at timestamptz,
      add column recovery_sent_at timestamptz,
      add column reauthentication_sent_at timestamptz,
      add column new_email text check (new_email = lower(new_email)),
      add column email_change_sent_at timestamptz,
      add column new_phone text,
      add column phone_change_sent_at timestamptz,
      drop constraint users_email_key`.execute(db)
  // Users of a company's single sign-on may share an address with an account of another kind.
  await sql`create unique index users_email on auth.users (email) where not is_sso_user`.execute(db)

  await sql`alter table auth.identities add column email text`.execute(db)
  await sql`update auth.identities set email = identity_data ->> 'email'`.execute(db)

  await sql`
    alter table auth.sessions
      add column factor_id uuid,
      add column ip inet,
      add column user_agent text check (length(user_agent) <= 400),
      add column last_active_at timestamptz not null default now()`.execute(db)

  // A mail or message carries a code and, in a mail, a link. Neither is stored: a code only as a keyed hash
  // (six digits are quickly guessed), a link's token as SHA-256. A new one replaces the old one of its kind.
  await sql`
    create table auth.one_time_tokens (
      id uuid primary key default uuid_v7(),
      user_id uuid not null references auth.users (id) on delete cascade,
      kind text not null check (kind in ('confirmation', 'invite', 'recovery', 'magic_link', 'email_change_current',
        'email_change_new', 'reauthentication', 'phone_confirmation', 'phone_change')),
      sent_to text not null,
      code_mac bytea not null check (length(code_mac) = 32),
      link_hash bytea unique check (length(link_hash) = 32),
      flow_id uuid,
      wrong_attempts integer not null default 0,
      created_at timestamptz not null default now(),
      code_expires_at timestamptz not null,
      link_expires_at timestamptz not null,
      unique (user_id, kind)
    )`.execute(db)
  await sql`create index one_time_tokens_sent_to on auth.one_time_tokens (sent_to)`.execute(db)

  // A sign-in that begins in one request and ends in another: by a provider, or by a mail under PKCE.
  await sql`
    create table auth.flows (
      id uuid primary key default uuid_v7(),
      user_id uuid references auth.users (id) on delete cascade,
      method text not null,
      provider text,
      state_hash bytea unique,
      nonce text,
      provider_verifier_sealed text,
      redirect_to text,
      code_challenge text,
      code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
      code_hash bytea unique,
      code_issued_at timestamptz,
      linking_user_id uuid references auth.users (id) on delete cascade,
      provider_tokens_sealed text,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index flows_created_at on auth.flows (created_at)`.execute(db)

  await sql`
    create table auth.factors (
      id uuid primary key default uuid_v7(),
      user_id uuid not null references auth.users (id) on delete cascade,
      friendly_name text not null default '',
      factor_type text not null check (factor_type in ('totp', 'phone')),
      status text not null default 'unverified' check (status in ('unverified', 'verified')),
      secret_sealed text,
      phone text,
      last_used_step bigint,
      last_challenged_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (user_id, friendly_name)
    )`.execute(db)
  await sql`
    create table auth.factor_challenges (
      id uuid primary key default uuid_v7(),
      factor_id uuid not null references auth.factors (id) on delete cascade,
      ip inet not null,
      code_mac bytea,
      wrong_attempts integer not null default 0,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index factor_challenges_factor_id on auth.factor_challenges (factor_id)`.execute(db)

  // Proofs that work once: signatures of wallets, assertions of SAML. They are kept until they would have
  // expired anyway.
  await sql`
    create table auth.used_proofs (
      hash bytea primary key check (length(hash) = 32),
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index used_proofs_expires_at on auth.used_proofs (expires_at)`.execute(db)

  // No foreign keys, because the log outlives the account.
  await sql`
    create table auth.audit_log (
      id uuid primary key default uuid_v7(),
      at timestamptz not null default now(),
      action text not null,
      user_id uuid,
      actor_id uuid,
      actor text not null default 'user' check (actor in ('user', 'admin', 'service', 'nobody')),
      session_id uuid,
      ip inet,
      user_agent text check (length(user_agent) <= 400),
      details jsonb not null default '{}' check (jsonb_typeof(details) = 'object')
    )`.execute(db)
  await sql`create index audit_log_user_id on auth.audit_log (user_id, id)`.execute(db)
  await sql`
    create function auth.refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'auth.audit_log only grows';
    end $$`.execute(db)
  await sql`
    create trigger audit_log_only_grows before update or delete or truncate on auth.audit_log
    for each statement execute function auth.refuse_change()`.execute(db)

  // Events that browsers report (docs/product.md §3, security event), and the alerts that follow.
  await sql`
    create table auth.security_events (
      id uuid primary key,
      user_id uuid references auth.users (id) on delete cascade,
      type text not null,
      severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
      occurred_at timestamptz not null,
      received_at timestamptz not null default now(),
      url text,
      user_agent text check (length(user_agent) <= 400),
      ip inet,
      details jsonb not null default '{}' check (jsonb_typeof(details) = 'object')
    )`.execute(db)
  await sql`create index security_events_user_id on auth.security_events (user_id, received_at)`.execute(db)

  // A mail to an unconfirmed address, with its code and link: sealed, never readable in the table.
  await sql`
    alter table mails
      add column recipient_address text,
      add column sealed_data text`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from mails where sealed_data is not null`.execute(db)
  await sql`alter table mails drop column recipient_address, drop column sealed_data`.execute(db)
  await sql`drop table auth.security_events, auth.audit_log, auth.used_proofs, auth.factor_challenges, auth.factors,
    auth.flows, auth.one_time_tokens`.execute(db)
  await sql`drop function auth.refuse_change`.execute(db)
  await sql`
    alter table auth.sessions drop column factor_id, drop column ip, drop column user_agent,
      drop column last_active_at`.execute(db)
  await sql`alter table auth.identities drop column email`.execute(db)
  await sql`drop index auth.users_email`.execute(db)
  await sql`
    alter table auth.users
      drop column phone, drop column phone_confirmed_at, drop column role, drop column is_sso_user,
      drop column confirmation_sent_at, drop column invited_at, drop column recovery_sent_at,
      drop column reauthentication_sent_at, drop column new_email, drop column email_change_sent_at,
      drop column new_phone, drop column phone_change_sent_at,
      add constraint users_email_key unique (email)`.execute(db)
}

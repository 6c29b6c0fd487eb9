import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create schema auth`.execute(db)

  await sql`
    create table auth.users (
      id uuid primary key default uuid_v7(),
      email text unique check (email = lower(email) and length(email) between 1 and 254),
      password_hash text,
      email_confirmed_at timestamptz,
      app_metadata jsonb not null default '{}' check (jsonb_typeof(app_metadata) = 'object'),
      user_metadata jsonb not null default '{}' check (jsonb_typeof(user_metadata) = 'object'),
      is_anonymous boolean not null default false,
      last_sign_in_at timestamptz,
      banned_until timestamptz,
      deleted_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)

  await sql`
    create table auth.identities (
      id uuid primary key default uuid_v7(),
      user_id uuid not null references auth.users (id) on delete cascade,
      provider text not null,
      provider_id text not null,
      identity_data jsonb not null default '{}' check (jsonb_typeof(identity_data) = 'object'),
      last_sign_in_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (provider, provider_id)
    )`.execute(db)
  await sql`create index identities_user_id on auth.identities (user_id)`.execute(db)

  await sql`
    create table auth.sessions (
      id uuid primary key default uuid_v7(),
      user_id uuid not null references auth.users (id) on delete cascade,
      aal text not null default 'aal1' check (aal in ('aal1', 'aal2')),
      amr jsonb not null check (jsonb_typeof(amr) = 'array'),
      created_at timestamptz not null default now(),
      refreshed_at timestamptz
    )`.execute(db)
  await sql`create index sessions_user_id on auth.sessions (user_id)`.execute(db)

  // One row per rotation, linked parent to child. A token's own bytes are never stored: a child is derived
  // from its parent's bytes and its salt (server/accounts/sessions/refresh-token.ts), so the table alone
  // opens no session.
  await sql`
    create table auth.refresh_tokens (
      id uuid primary key default uuid_v7(),
      session_id uuid not null references auth.sessions (id) on delete cascade,
      parent_id uuid unique references auth.refresh_tokens (id) on delete cascade,
      token_hash bytea not null unique check (length(token_hash) = 32),
      salt bytea not null,
      created_at timestamptz not null default now(),
      replaced_at timestamptz
    )`.execute(db)
  await sql`create index refresh_tokens_session_id on auth.refresh_tokens (session_id)`.execute(db)

  await sql`
    create table auth.sign_in_attempts (
      email text not null,
      ip inet not null,
      failures integer not null check (failures > 0),
      last_failed_at timestamptz not null default now(),
      blocked_until timestamptz,
      primary key (email, ip)
    )`.execute(db)
  await sql`create index sign_in_attempts_last_failed_at on auth.sign_in_attempts (last_failed_at)`.execute(
    db,
  )

  await sql`
    create table profiles (
      user_id uuid primary key references auth.users (id) on delete cascade,
      email text not null,
      name text not null,
      role text not null default 'client' check (role in ('client', 'admin')),
      status text not null default 'active' check (status in ('active', 'suspended')),
      balance numeric(12, 2) not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table profiles`.execute(db)
  await sql`drop schema auth cascade`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/**
 * The people of an account, and who is invited. An account's id is its founder's user id. A founder without a row owns
 * the account alone; `none` is the role of a founder who has handed it over and left.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists account_members (
      user_id uuid primary key references auth.users (id) on delete cascade,
      account_id uuid not null references client_accounts (user_id) on delete cascade,
      role text not null check (role in ('owner', 'manager', 'agent', 'finance', 'none')),
      added_by uuid references auth.users (id) on delete set null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (role <> 'none' or user_id = account_id)
    )`.execute(db)
  await sql`create index if not exists account_members_account on account_members (account_id)`.execute(db)
  await sql`create index if not exists account_members_added_by on account_members (added_by)`.execute(db)
  await sql`
    create table if not exists account_invitations (
      id uuid primary key default uuid_v7(),
      account_id uuid not null references client_accounts (user_id) on delete cascade,
      email text not null check (length(email) between 3 and 320),
      role text not null check (role in ('owner', 'manager', 'agent', 'finance')),
      token_hash bytea not null unique check (length(token_hash) = 32),
      invited_by uuid references auth.users (id) on delete set null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      accepted_at timestamptz,
      withdrawn_at timestamptz
    )`.execute(db)
  await sql`
    create unique index if not exists account_invitations_open on account_invitations (account_id, email)
    where accepted_at is null and withdrawn_at is null`.execute(db)
  await sql`create index if not exists account_invitations_account on account_invitations (account_id)`.execute(
    db,
  )
  await sql`create index if not exists account_invitations_invited_by on account_invitations (invited_by)`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table account_invitations`.execute(db)
  await sql`drop table account_members`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * Revocations of consent, the clients who hold the leads, and their receipts (docs/product.md §10). A lead and a client are
 * told once, whoever reports a revocation again. No row names the person: a call that waits names leads, and the contact
 * of a proof is a keyed hash.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists revocations (
      id uuid primary key default uuid_v7(),
      reported_by text not null check (reported_by in ('consumer', 'source', 'client', 'administrator')),
      reach text not null check (reach in ('everybody', 'client', 'leads')),
      status text not null check (status in ('waiting', 'in_force', 'declined')),
      proof text check (proof in ('sms', 'email')),
      source_id uuid,
      client_user_id uuid,
      created_by uuid,
      lead_ids uuid[] not null default '{}',
      reason text,
      decided_by uuid,
      decided_at timestamptz,
      decision_note text,
      revoked_at timestamptz,
      due_on date,
      due_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create index if not exists revocations_waiting on revocations (created_at) where status = 'waiting'`.execute(
    db,
  )
  await sql`
    create index if not exists revocations_of_client on revocations (client_user_id, created_at)
      where client_user_id is not null`.execute(db)
  await sql`
    create index if not exists revocations_of_source on revocations (source_id, created_at)
      where source_id is not null`.execute(db)
  await sql`
    create table if not exists revocation_holders (
      id uuid primary key default uuid_v7(),
      revocation_id uuid not null references revocations (id) on delete cascade,
      lead_id uuid not null,
      client_user_id uuid not null,
      member_user_id uuid,
      event_id uuid,
      due_at timestamptz not null,
      mailed_at timestamptz,
      acknowledged_at timestamptz,
      acknowledged_by text check (acknowledged_by in ('webhook', 'person')),
      acknowledged_user_id uuid,
      webhook_name text,
      created_at timestamptz not null default now(),
      unique (lead_id, client_user_id),
      check ((acknowledged_at is null) = (acknowledged_by is null))
    )`.execute(db)
  await sql`
    create index if not exists revocation_holders_of_revocation on revocation_holders (revocation_id)`.execute(
    db,
  )
  await sql`
    create index if not exists revocation_holders_of_client on revocation_holders (client_user_id, created_at desc, id desc)`.execute(
    db,
  )
  await sql`
    create index if not exists revocation_holders_open on revocation_holders (due_at) where acknowledged_at is null`.execute(
    db,
  )
  await sql`
    create table if not exists revocation_codes (
      id uuid primary key default uuid_v7(),
      contact_mac bytea not null unique,
      code_mac bytea not null,
      wrong_attempts integer not null default 0,
      mail_id uuid,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index if not exists revocation_codes_expiry on revocation_codes (expires_at)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table revocation_codes, revocation_holders, revocations`.execute(db)
}

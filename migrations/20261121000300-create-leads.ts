import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sources (
      id uuid primary key default uuid_v7(),
      name text not null check (length(name) between 1 and 120),
      owner_user_id uuid references profiles (user_id) on delete restrict,
      auto_assign boolean not null,
      api_key_hash bytea not null unique,
      api_key_prefix text not null,
      created_by uuid references profiles (user_id) on delete set null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db)

  await sql`
    create table leads (
      id uuid primary key default uuid_v7(),
      user_id uuid references profiles (user_id) on delete restrict,
      assigned_to uuid references profiles (user_id) on delete restrict,
      status text not null default 'new'
        check (status in ('new', 'assigned', 'unassigned', 'duplicate', 'rejected', 'expired', 'redacted')),
      is_test boolean not null default false,
      name text, first_name text, last_name text,
      email citext, phone text check (phone ~ '^\\+[1-9][0-9]{6,14}$'), phone_raw text, alt_phone text,
      address1 text, address2 text, city text, county text, state char(2), zip text, country char(2) not null default 'US',
      timezone text,
      date_of_birth date, age integer check (age between 0 and 130), gender text, tobacco boolean,
      coverage_amount numeric(14, 2), beneficiary_name text, best_time_to_call text, language text not null default 'en',
      comments text, custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
      lead_type text not null, deal_size numeric(12, 2) not null default 0,
      consent_given boolean, consent_text text, consent_at timestamptz, consent_url text, consent_ip inet,
      consent_user_agent text, consent_revoked_at timestamptz,
      trustedform_cert_url text, trustedform_expires_at timestamptz, jornaya_leadid uuid,
      source_id uuid references sources (id) on delete restrict, source text, external_id text, idempotency_key text,
      ingest_fingerprint bytea,
      campaign text, sub_id text, landing_page_url text, utm jsonb, cost numeric(10, 2),
      reject_reason text, duplicate_of uuid references leads (id) on delete set null,
      order_id uuid, price_charged numeric(10, 2),
      phone_hash bytea, email_hash bytea,
      assigned_at timestamptz, expires_at timestamptz, redacted_at timestamptz,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      unique (source_id, external_id),
      unique (source_id, idempotency_key)
    ) with (fillfactor = 90)`.execute(db)
  await sql`create index leads_assigned_to on leads (assigned_to, created_at desc, id desc)`.execute(db)
  await sql`create index leads_user_id on leads (user_id, created_at desc, id desc) where user_id is not null`.execute(
    db,
  )
  await sql`
    create index leads_search on leads using gin ((coalesce(name, '') || ' ' || coalesce(email::text, '') || ' ' || coalesce(phone, '')) gin_trgm_ops)
  `.execute(db)

  await sql`
    create table lead_assignments (
      id uuid primary key default uuid_v7(),
      lead_id uuid not null references leads (id) on delete cascade,
      client_user_id uuid not null references profiles (user_id) on delete restrict,
      order_id uuid,
      price numeric(10, 2) not null default 0,
      state text not null default 'active' check (state in ('active', 'returned', 'revoked')),
      first_viewed_at timestamptz,
      disposition text not null default 'new',
      disposition_at timestamptz,
      notes text,
      assigned_at timestamptz not null default now()
    )`.execute(db)
  // A lead has at most one active assignment, also under races.
  await sql`create unique index lead_assignments_live on lead_assignments (lead_id) where state = 'active'`.execute(
    db,
  )
  await sql`
    create index lead_assignments_unread on lead_assignments (client_user_id)
    where state = 'active' and first_viewed_at is null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table lead_assignments, leads, sources`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * The market: accounts of clients, prices, orders and what they have received, suppressions, returns,
 * payments.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Status is the administrators' decision; profiles.status says whether the user may sign in at all.
  await sql`
    create table client_accounts (
      user_id uuid primary key references profiles (user_id) on delete cascade,
      status text not null default 'onboarding' check (status in ('onboarding', 'active', 'closed')),
      business_name text check (length(business_name) between 1 and 120),
      phone text check (length(phone) <= 32),
      timezone text not null default 'America/New_York' check (length(timezone) between 1 and 64),
      npn text check (npn ~ '^[0-9]{1,10}$'),
      licensed_states text[] not null default '{}',
      low_balance_threshold numeric(12, 2) not null default 100 check (low_balance_threshold >= 0),
      auto_recharge_enabled boolean not null default false,
      auto_recharge_threshold numeric(12, 2) check (auto_recharge_threshold >= 20),
      auto_recharge_amount numeric(12, 2) check (auto_recharge_amount between 50 and 10000),
      auto_recharge_monthly_max numeric(12, 2) check (auto_recharge_monthly_max >= auto_recharge_amount),
      notices jsonb not null default '{}' check (jsonb_typeof(notices) = 'object'),
      terms_version text, terms_accepted_at timestamptz, terms_ip inet,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (not auto_recharge_enabled or (auto_recharge_threshold is not null and auto_recharge_amount is not null
        and auto_recharge_monthly_max is not null))
    )`.execute(db)
  // Every new profile, also one made by an older version, gets a client's account.
  await sql`
    create function open_client_account() returns trigger language plpgsql set search_path = public as $$
    begin
      if new.role = 'client' then insert into client_accounts (user_id) values (new.user_id) on conflict do nothing; end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger open_client_account after insert or update of role on profiles
    for each row execute function open_client_account()`.execute(db)
  await sql`insert into client_accounts (user_id) select user_id from profiles where role = 'client'`.execute(
    db,
  )

  await sql`
    create table lead_types (
      code text primary key check (code ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
      label text not null check (length(label) between 1 and 80),
      price numeric(10, 2) not null check (price >= floor_price and price <= 10000),
      floor_price numeric(10, 2) not null check (floor_price > 0),
      -- When leads of this type that nobody wanted are to be offered again; null: not before something changes.
      offer_again_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    insert into lead_types (code, label, price, floor_price) values ('final_expense', 'Final expense', 25, 10)`.execute(
    db,
  )
  await sql`
    create table lead_prices (
      id uuid primary key default uuid_v7(),
      lead_type text not null references lead_types (code) on delete cascade,
      state char(2), client_user_id uuid references profiles (user_id) on delete cascade,
      price numeric(10, 2) not null check (price > 0 and price <= 10000),
      created_at timestamptz not null default now(),
      check (state is not null or client_user_id is not null),
      unique nulls not distinct (lead_type, state, client_user_id)
    )`.execute(db)
  await sql`create index lead_prices_client on lead_prices (client_user_id) where client_user_id is not null`.execute(
    db,
  )

  await sql`
    create table orders (
      id uuid primary key default uuid_v7(),
      client_user_id uuid not null references profiles (user_id) on delete restrict,
      name text not null check (length(name) between 1 and 80),
      lead_type text not null references lead_types (code) on delete restrict,
      states text[] not null default '{}',
      age_min integer check (age_min between 0 and 120), age_max integer check (age_max between 0 and 120),
      accept_unknown_age boolean not null default true,
      excluded_sources uuid[] not null default '{}',
      daily_cap integer check (daily_cap >= 1), weekly_cap integer check (weekly_cap >= 1),
      monthly_cap integer check (monthly_cap >= 1), total_cap integer check (total_cap >= 1),
      daily_budget numeric(12, 2) check (daily_budget > 0), monthly_budget numeric(12, 2) check (monthly_budget > 0),
      -- The administrators': the price where it is not the price list's, who is tried first, and his part among equals.
      price numeric(10, 2) check (price > 0 and price <= 10000),
      priority integer not null default 50 check (priority between 1 and 99),
      weight integer not null default 1 check (weight between 1 and 100),
      -- {"mon": [["09:00", "18:00"]], …} in the order's zone; null: always
      schedule jsonb check (jsonb_typeof(schedule) = 'object'),
      timezone text not null check (length(timezone) between 1 and 64),
      starts_at timestamptz, ends_at timestamptz,
      paused_by text check (paused_by in ('client', 'admin', 'system')),
      pause_reason text check (length(pause_reason) <= 200),
      -- What happens to a lead that the client's own CRM refuses, or that reaches none of his webhooks.
      when_undelivered text not null default 'keep' check (when_undelivered in ('keep', 'return', 'reoffer')),
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      check (age_min is null or age_max is null or age_min <= age_max),
      check (starts_at is null or ends_at is null or starts_at < ends_at)
    )`.execute(db)
  await sql`create index orders_of_client on orders (client_user_id, created_at desc, id desc)`.execute(db)
  await sql`create index orders_of_type on orders (lead_type)`.execute(db)
  // Tallies of an order, by the days, weeks and months of its own zone. A table of its own, because it
  // changes with each lead.
  await sql`
    create table order_tallies (
      order_id uuid primary key references orders (id) on delete cascade,
      day date not null default '-infinity', day_leads integer not null default 0, day_spent numeric(12, 2) not null default 0,
      week date not null default '-infinity', week_leads integer not null default 0,
      month date not null default '-infinity', month_leads integer not null default 0,
      month_spent numeric(12, 2) not null default 0,
      total_leads integer not null default 0,
      last_assigned_at timestamptz
    ) with (fillfactor = 50)`.execute(db)
  await sql`
    create function open_order_tally() returns trigger language plpgsql set search_path = public as $$
    begin insert into order_tallies (order_id) values (new.id); return new; end $$`.execute(db)
  await sql`
    create trigger open_order_tally after insert on orders for each row execute function open_order_tally()`.execute(
    db,
  )

  // Keyed hashes, so that the list reveals nobody.
  await sql`
    create table suppressions (
      id uuid primary key default uuid_v7(),
      kind text not null check (kind in ('phone', 'email')),
      hash bytea not null check (length(hash) = 32),
      reason text not null check (reason in ('opted_out', 'do_not_contact', 'complaint', 'litigator', 'erased', 'other')),
      note text check (length(note) <= 500),
      created_by uuid,
      created_at timestamptz not null default now(),
      unique (kind, hash)
    )`.execute(db)

  // The decision about a lead: the order that got it, and why the other eligible ones did not.
  await sql`
    create table assignment_decisions (
      lead_id uuid primary key references leads (id) on delete cascade,
      outcome text not null check (outcome in ('assigned', 'duplicate', 'no_buyer', 'rejected', 'expired')),
      reason text, order_id uuid, client_user_id uuid,
      -- [{order_id, client_user_id, reason}] of those for its type and state, and how many there were for each reason
      refusals jsonb not null default '[]', refused jsonb not null default '{}',
      tries integer not null default 1,
      decided_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index leads_unsold on leads (lead_type, created_at, id) where status = 'unassigned'`.execute(
    db,
  )
  await sql`
    create index leads_sold_phone on leads (phone, lead_type, assigned_at)
    where assigned_to is not null and phone is not null and not is_test`.execute(db)
  await sql`
    create index leads_sold_email on leads (email, lead_type, assigned_at)
    where assigned_to is not null and email is not null and not is_test`.execute(db)

  await sql`
    create table lead_returns (
      id uuid primary key default uuid_v7(),
      assignment_id uuid not null unique references lead_assignments (id) on delete cascade,
      lead_id uuid not null references leads (id) on delete cascade,
      client_user_id uuid not null references profiles (user_id) on delete restrict,
      reason text not null, note text check (length(note) <= 1000),
      status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'withdrawn')),
      asked_by text not null default 'client' check (asked_by in ('client', 'admin', 'system')),
      held_for_review boolean not null default false,
      decided_by uuid, decided_at timestamptz,
      decision_note text check (length(decision_note) <= 1000),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index lead_returns_pending on lead_returns (created_at, id) where status = 'pending'`.execute(
    db,
  )
  await sql`create index lead_returns_of_client on lead_returns (client_user_id, created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index lead_returns_lead on lead_returns (lead_id)`.execute(db)

  await sql`
    create table payments (
      id uuid primary key default uuid_v7(),
      client_user_id uuid not null references profiles (user_id) on delete restrict,
      kind text not null default 'top_up' check (kind in ('top_up', 'auto_recharge')),
      -- request: paid outside, an administrator marks it as received; checkout: by the payment provider
      method text not null check (method in ('request', 'checkout')),
      amount numeric(12, 2) not null check (amount between 50 and 10000),
      status text not null default 'pending' check (status in ('pending', 'received', 'failed', 'cancelled')),
      provider_session_id text unique,
      failure text check (length(failure) <= 200),
      decided_by uuid, decided_at timestamptz,
      note text check (length(note) <= 500),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index payments_of_client on payments (client_user_id, created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index payments_pending on payments (created_at, id) where status = 'pending'`.execute(db)
  // Events that the provider has sent, so that none counts twice.
  await sql`
    create table payment_events (
      event_id text primary key check (length(event_id) between 1 and 255),
      type text not null, payment_id uuid,
      received_at timestamptz not null default now()
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table payment_events, payments, lead_returns, assignment_decisions, suppressions`.execute(db)
  await sql`drop index leads_unsold, leads_sold_phone, leads_sold_email`.execute(db)
  await sql`drop table order_tallies, orders, lead_prices, lead_types, client_accounts`.execute(db)
  await sql`drop function open_order_tally()`.execute(db)
  await sql`drop trigger open_client_account on profiles`.execute(db)
  await sql`drop function open_client_account()`.execute(db)
}

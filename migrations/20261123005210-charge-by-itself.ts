import { sql, type Kysely } from 'kysely'

/**
 * An auto-recharge charges what a client has agreed to, by the saved payment method, once for each occasion.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The provider's names for the client and the payment method.
  await sql`
    create table payment_customers (
      client_user_id uuid primary key references profiles (user_id) on delete cascade,
      customer_id text not null check (length(customer_id) between 1 and 255),
      method_id text check (length(method_id) between 1 and 255),
      method_label text check (length(method_label) between 1 and 80),
      saved_at timestamptz,
      check ((method_id is null) = (saved_at is null))
    )`.execute(db)
  // The agreement in the words that were shown; nothing is charged by other amounts.
  await sql`
    create table auto_recharge_agreements (
      id uuid primary key default uuid_v7(),
      client_user_id uuid not null references profiles (user_id) on delete cascade,
      terms text not null check (length(terms) between 1 and 1000),
      threshold numeric(12, 2) not null, amount numeric(12, 2) not null, monthly_max numeric(12, 2) not null,
      agreed_by uuid not null,
      agreed_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create index auto_recharge_agreements_of_client on auto_recharge_agreements (client_user_id, agreed_at desc)`.execute(
    db,
  )
  await sql`
    alter table client_accounts add column auto_recharge_failures integer not null default 0,
      add column auto_recharge_not_before timestamptz,
      add column auto_recharge_stopped text check (length(auto_recharge_stopped) <= 200)`.execute(db)
  await sql`create index client_accounts_recharged on client_accounts (user_id) where auto_recharge_enabled`.execute(
    db,
  )
  // Clients who switched it on before were told that nothing is charged until they hear from us.
  await sql`
    update client_accounts set auto_recharge_enabled = false, version = version + 1,
      auto_recharge_stopped = 'It can charge now: please agree to it anew' where auto_recharge_enabled`.execute(
    db,
  )
  await sql`
    alter table payments add column saves_method boolean not null default false,
      add column charge_customer text check (length(charge_customer) between 1 and 255),
      add column charge_method text check (length(charge_method) between 1 and 255),
      -- when the provider is asked for the charge, or what became of it; asked under the payment's id, however often
      add column ask_at timestamptz,
      add column asks integer not null default 0`.execute(db)
  await sql`
    create unique index payments_one_charge on payments (client_user_id) where kind = 'auto_recharge' and status = 'pending'`.execute(
    db,
  )
  await sql`
    create index payments_to_ask on payments (ask_at) where ask_at is not null and status = 'pending' and failure is null`.execute(
    db,
  )

  // Balances to check, because an entry may have brought them across a threshold.
  await sql`
    create table client_funding (
      client_user_id uuid primary key references profiles (user_id) on delete cascade,
      due_at timestamptz
    )`.execute(db)
  await sql`create index client_funding_due on client_funding (due_at) where due_at is not null`.execute(db)
  // A purchase that leaves more than both thresholds and its own price has crossed nothing.
  await sql`
    create function look_at_funding() returns trigger language plpgsql set search_path = public as $$
    begin
      insert into client_funding (client_user_id, due_at)
      select distinct e.client_user_id, now() from entries e join client_accounts a on a.user_id = e.client_user_id
      where e.entry_type <> 'lead_purchase' or e.balance_after < greatest(a.low_balance_threshold, -e.amount,
        case when a.auto_recharge_enabled then a.auto_recharge_threshold end)
      order by e.client_user_id
      on conflict (client_user_id) do update set due_at = excluded.due_at where client_funding.due_at is null;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger look_at_funding after insert on balance_ledger referencing new table as entries
    for each statement execute function look_at_funding()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger look_at_funding on balance_ledger`.execute(db)
  await sql`drop function look_at_funding()`.execute(db)
  await sql`drop table client_funding, auto_recharge_agreements, payment_customers`.execute(db)
  await sql`drop index payments_one_charge, payments_to_ask, client_accounts_recharged`.execute(db)
  await sql`
    alter table payments drop column saves_method, drop column charge_customer, drop column charge_method,
      drop column ask_at, drop column asks`.execute(db)
  await sql`
    alter table client_accounts drop column auto_recharge_failures, drop column auto_recharge_not_before,
      drop column auto_recharge_stopped`.execute(db)
}

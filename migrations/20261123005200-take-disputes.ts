import { sql, type Kysely } from 'kysely'

/**
 * Money that the payment provider takes back is gone, whether the balance still holds it or not. Only these
 * entries may bring a balance below zero, and while it is, nothing else can be debited.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_debt() returns void language plpgsql as $$
    begin
      raise exception 'the balance holds less' using errcode = 'check_violation', table = 'profiles',
        constraint = 'profiles_balance_not_negative';
    end $$`.execute(db)
  await sql`
    create or replace function move_balance() returns trigger language plpgsql set search_path = public as $$
    begin
      if pg_trigger_depth() = 1 then
        update profiles set balance = balance + new.amount where user_id = new.client_user_id
          returning balance into new.balance_after;
        if new.balance_after < 0 and new.amount < 0 and new.entry_type not in ('chargeback', 'refund_out') then
          perform refuse_debt();
        end if;
      end if;
      new.id := nextval('balance_ledger_id_seq');
      return new;
    end $$`.execute(db)
  await sql`
    create or replace function note_balance() returns trigger language plpgsql set search_path = public as $$
    declare
      before numeric(12, 2) := case when tg_op = 'UPDATE' then old.balance else 0 end;
    begin
      if pg_trigger_depth() = 1 and new.balance <> before then
        if new.balance < 0 and new.balance < before then perform refuse_debt(); end if;
        insert into balance_ledger (client_user_id, entry_type, amount, balance_after, note)
        values (new.user_id, 'correction', new.balance - before, new.balance, 'Set by hand in the database');
      end if;
      return null;
    end $$`.execute(db)
  await sql`alter table profiles drop constraint profiles_balance_not_negative`.execute(db)

  await sql`alter table payments add column provider_intent_id text check (length(provider_intent_id) between 1 and 255)`.execute(
    db,
  )
  await sql`create index payments_intent on payments (provider_intent_id) where provider_intent_id is not null`.execute(
    db,
  )
  // The provider's reports of money that went back. One may arrive before the report of its payment.
  await sql`
    create table payment_reversals (
      -- the provider's own: of the dispute, or of the charge that was paid back
      id text primary key check (length(id) between 1 and 255),
      kind text not null check (kind in ('dispute', 'refund')),
      intent_id text check (length(intent_id) between 1 and 255),
      payment_id uuid references payments (id) on delete cascade,
      -- warned: asked about, and nothing has moved
      state text not null check (state in ('warned', 'open', 'lost', 'won', 'paid_back')),
      amount numeric(12, 2) not null default 0 check (amount >= 0),
      -- what of it is off the balance by now
      taken numeric(12, 2) not null default 0 check (taken >= 0),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check ((kind = 'refund') = (state = 'paid_back'))
    )`.execute(db)
  await sql`create index payment_reversals_payment on payment_reversals (payment_id) where payment_id is not null`.execute(
    db,
  )
  await sql`create index payment_reversals_intent on payment_reversals (intent_id) where intent_id is not null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table payment_reversals`.execute(db)
  await sql`alter table payments drop column provider_intent_id`.execute(db)
  await sql`
    create or replace function move_balance() returns trigger language plpgsql set search_path = public as $$
    begin
      if pg_trigger_depth() = 1 then
        update profiles set balance = balance + new.amount where user_id = new.client_user_id
          returning balance into new.balance_after;
      end if;
      new.id := nextval('balance_ledger_id_seq');
      return new;
    end $$`.execute(db)
  await sql`
    create or replace function note_balance() returns trigger language plpgsql set search_path = public as $$
    declare
      before numeric(12, 2) := case when tg_op = 'UPDATE' then old.balance else 0 end;
    begin
      if pg_trigger_depth() = 1 and new.balance <> before then
        insert into balance_ledger (client_user_id, entry_type, amount, balance_after, note)
        values (new.user_id, 'correction', new.balance - before, new.balance, 'Set by hand in the database');
      end if;
      return null;
    end $$`.execute(db)
  await sql`drop function refuse_debt()`.execute(db)
  // A debt at that time stays a debt.
  await sql`
    alter table profiles add constraint profiles_balance_not_negative check (balance >= 0) not valid`.execute(
    db,
  )
}

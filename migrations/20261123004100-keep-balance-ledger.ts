import { sql, type Kysely } from 'kysely'

/**
 * The database makes a balance the sum of its ledger: an entry moves the balance, any other change of the
 * balance writes an entry, and an entry never changes. A client's entries are in the order in which they took
 * effect, because each takes its id under the lock of the balance.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence balance_ledger_id_seq`.execute(db)
  await sql`
    create table balance_ledger (
      id bigint primary key,
      client_user_id uuid not null references profiles (user_id) on delete restrict,
      entry_type text not null check (entry_type in ('top_up', 'auto_recharge', 'promo_credit', 'manual_credit', 'manual_debit',
        'lead_purchase', 'lead_return', 'refund_out', 'chargeback', 'chargeback_reversal', 'correction')),
      amount numeric(12, 2) not null check (amount <> 0),
      balance_after numeric(12, 2) not null,
      reference_type text check (reference_type in ('assignment', 'return', 'payment', 'entry')),
      reference_id text,
      idempotency_key text unique,
      note text check (length(note) <= 500),
      created_by uuid,
      created_at timestamptz not null default now(),
      check (entry_type not in ('manual_credit', 'manual_debit', 'correction') or note is not null),
      check ((amount > 0) = (entry_type in ('top_up', 'auto_recharge', 'promo_credit', 'manual_credit', 'lead_return',
        'chargeback_reversal')) or entry_type = 'correction')
    )`.execute(db)
  await sql`alter sequence balance_ledger_id_seq owned by balance_ledger.id`.execute(db)
  await sql`create index balance_ledger_of_client on balance_ledger (client_user_id, id desc)`.execute(db)
  await sql`
    create unique index balance_ledger_once on balance_ledger (entry_type, reference_id)
    where entry_type in ('top_up', 'auto_recharge', 'lead_purchase', 'lead_return')`.execute(db)

  // An opening entry for balances from before the ledger.
  await sql`
    insert into balance_ledger (id, client_user_id, entry_type, amount, balance_after, note)
    select nextval('balance_ledger_id_seq'), user_id, 'correction', balance, balance, 'Opening balance'
    from profiles where balance <> 0`.execute(db)

  // If another trigger adds the entry, that trigger has already changed the balance.
  await sql`
    create function move_balance() returns trigger language plpgsql set search_path = public as $$
    begin
      if pg_trigger_depth() = 1 then
        update profiles set balance = balance + new.amount where user_id = new.client_user_id
          returning balance into new.balance_after;
      end if;
      new.id := nextval('balance_ledger_id_seq');
      return new;
    end $$`.execute(db)
  await sql`
    create trigger move_balance before insert on balance_ledger for each row execute function move_balance()`.execute(
    db,
  )
  // A balance that is set by hand leaves an entry that says so.
  await sql`
    create function note_balance() returns trigger language plpgsql set search_path = public as $$
    declare
      before numeric(12, 2) := case when tg_op = 'UPDATE' then old.balance else 0 end;
    begin
      if pg_trigger_depth() = 1 and new.balance <> before then
        insert into balance_ledger (client_user_id, entry_type, amount, balance_after, note)
        values (new.user_id, 'correction', new.balance - before, new.balance, 'Set by hand in the database');
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_balance after insert or update of balance on profiles
    for each row execute function note_balance()`.execute(db)
  await sql`
    create function keep_ledger() returns trigger language plpgsql as $$
    begin
      raise exception 'an entry of balance_ledger stays as it is' using errcode = 'restrict_violation';
    end $$`.execute(db)
  await sql`
    create trigger keep_ledger before update or delete on balance_ledger for each row execute function keep_ledger()`.execute(
    db,
  )
  await sql`
    create trigger keep_ledger_whole before truncate on balance_ledger for each statement execute function keep_ledger()`.execute(
    db,
  )
  await sql`
    alter table profiles add constraint profiles_balance_not_negative check (balance >= 0)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table profiles drop constraint profiles_balance_not_negative`.execute(db)
  await sql`drop trigger note_balance on profiles`.execute(db)
  await sql`drop table balance_ledger`.execute(db)
  await sql`drop function move_balance()`.execute(db)
  await sql`drop function note_balance()`.execute(db)
  await sql`drop function keep_ledger()`.execute(db)
}

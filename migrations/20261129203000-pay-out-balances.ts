import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/**
 * An administrator pays a balance out: an entry `refund_out` without a payment (docs/product.md §4). Only what the
 * payment provider reports may leave a debt, and those entries name their payment, also an older server's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pending_adjustments add column if not exists kind text not null default 'adjustment'
      check (kind in ('adjustment', 'pay_out') and (kind = 'adjustment' or amount < 0))`.execute(db)
  await sql`
    create or replace function move_balance() returns trigger language plpgsql set search_path = public as $$
    begin
      if pg_trigger_depth() = 1 then
        update profiles set balance = balance + new.amount where user_id = new.client_user_id
          returning balance into new.balance_after;
        if new.balance_after < 0 and new.amount < 0 and new.entry_type <> 'chargeback'
          and (new.entry_type <> 'refund_out' or new.reference_type is distinct from 'payment') then
          perform refuse_debt();
        end if;
      end if;
      new.id := nextval('balance_ledger_id_seq');
      return new;
    end $$`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
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
  await sql`alter table pending_adjustments drop column kind`.execute(db)
}

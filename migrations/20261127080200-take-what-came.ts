import { sql, type Kysely } from 'kysely'

/**
 * Money may arrive in another amount or currency than requested, go back, and return: a payment records all
 * of that.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `amount` is the amount that counts, within the limits of a request; `asked_amount` is the requested one
  // if another arrived, `told_amount` the provider's amount in dollars.
  await sql`
    alter table payments add column asked_amount numeric(12, 2) check (asked_amount > 0),
      add column told_amount numeric(12, 2) check (told_amount >= 0),
      drop constraint payments_amount_check, add constraint payments_amount_check check (amount > 0),
      drop constraint payments_failure_check,
      add constraint payments_failure_check check (length(failure) <= 400)`.execute(db)
  await sql`
    alter table payment_reversals add column currency text not null default 'usd' check (length(currency) between 1 and 10)`.execute(
    db,
  )
  // A refund that the receiving bank refused: its money is back at the provider.
  await sql`
    create table payment_refund_failures (
      -- the provider's own, of the refund
      id text primary key check (length(id) between 1 and 255),
      -- of the charge that it paid back, which the reversal goes by
      reversal_id text not null check (length(reversal_id) between 1 and 255),
      amount numeric(12, 2) not null check (amount >= 0),
      told_at timestamptz not null
    )`.execute(db)
  await sql`create index payment_refund_failures_of_reversal on payment_refund_failures (reversal_id)`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table payment_refund_failures`.execute(db)
  await sql`alter table payment_reversals drop column currency`.execute(db)
  await sql`
    alter table payments drop column asked_amount, drop column told_amount,
      drop constraint payments_amount_check,
      add constraint payments_amount_check check (amount between 50 and 10000) not valid,
      drop constraint payments_failure_check,
      add constraint payments_failure_check check (length(failure) <= 200) not valid`.execute(db)
}

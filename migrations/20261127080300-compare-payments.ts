import { sql, type Kysely } from 'kysely'

/** The differences between our payments and the payment provider's, as of the last comparison. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_differences (
      kind text not null check (kind in ('unknown', 'not_credited', 'not_paid', 'amount', 'refund', 'dispute')),
      -- the provider's own, of the payment intent or of the dispute
      provider_id text not null check (length(provider_id) between 1 and 255),
      payment_id uuid references payments (id) on delete cascade,
      ours text not null check (length(ours) <= 200),
      theirs text not null check (length(theirs) <= 200),
      found_at timestamptz not null default now(),
      seen_at timestamptz not null,
      primary key (kind, provider_id)
    )`.execute(db)
  await sql`create index payment_differences_newest on payment_differences (found_at desc)`.execute(db)
  await sql`
    create index payment_differences_payment on payment_differences (payment_id) where payment_id is not null`.execute(
    db,
  )
  // One row: begin, end and period of the last comparison, and the reason if it failed.
  await sql`
    create table payment_comparison (
      only_row boolean primary key default true check (only_row),
      begun_at timestamptz,
      finished_at timestamptz,
      since timestamptz,
      compared integer not null default 0,
      failure text check (length(failure) <= 200)
    )`.execute(db)
  await sql`insert into payment_comparison default values`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table payment_differences, payment_comparison`.execute(db)
}

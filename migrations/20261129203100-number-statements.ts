import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/**
 * Issued statements: a complete month of a client, numbered without gaps when it is first read. The row keeps what the
 * statement said, so that a later change of zone or seller leaves it as it was.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists statements (
      number integer primary key check (number > 0),
      client_user_id uuid not null references profiles (user_id) on delete restrict,
      month text not null check (month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
      timezone text not null,
      seller_name text not null,
      seller_address text not null,
      issued_at timestamptz not null default now(),
      unique (client_user_id, month)
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table statements`.execute(db)
}

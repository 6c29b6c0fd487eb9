import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // When an address or phone was last written to, known or not: if only accounts were held back, the refusal would tell that
  // there is one. Keyed hashes, because most of them belong to nobody who agreed to be kept.
  await sql`
    create table auth.send_gaps (
      address_mac bytea not null check (length(address_mac) = 32),
      purpose text not null,
      sent_at timestamptz not null default clock_timestamp(),
      primary key (address_mac, purpose)
    )`.execute(db)
  await sql`create index send_gaps_sent_at on auth.send_gaps (sent_at)`.execute(db)

  // Of a change that both addresses have to confirm: which one has.
  await sql`
    alter table auth.users
      add column email_change_confirmed text check (email_change_confirmed in ('current', 'new'))`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table auth.users drop column email_change_confirmed`.execute(db)
  await sql`drop table auth.send_gaps`.execute(db)
}

import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Time of the last message to each address or phone, known or not: if only accounts were limited, a refusal
  // would reveal that one exists. The keys are keyed hashes, because most belong to people who never agreed
  // to be stored.
  await sql`
    create table auth.send_gaps (
      address_mac bytea not null check (length(address_mac) = 32),
      purpose text not null,
      sent_at timestamptz not null default clock_timestamp(),
      primary key (address_mac, purpose)
    )`.execute(db)
  await sql`create index send_gaps_sent_at on auth.send_gaps (sent_at)`.execute(db)

  // For a change that both addresses must confirm: the one that has confirmed.
  await sql`
    alter table auth.users
      add column email_change_confirmed text check (email_change_confirmed in ('current', 'new'))`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table auth.users drop column email_change_confirmed`.execute(db)
  await sql`drop table auth.send_gaps`.execute(db)
}

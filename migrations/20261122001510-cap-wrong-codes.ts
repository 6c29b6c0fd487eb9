import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Counts wrong six-digit codes within a day that the first one began. A code has its own count; this one
  // outlives codes, because a patient attacker would only have to request the next one.
  await sql`
    create table auth.wrong_codes (
      holder bytea not null,
      purpose text not null,
      failures integer not null check (failures > 0),
      since timestamptz not null default now(),
      primary key (holder, purpose)
    )`.execute(db)
  await sql`create index wrong_codes_since on auth.wrong_codes (since)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table auth.wrong_codes`.execute(db)
}

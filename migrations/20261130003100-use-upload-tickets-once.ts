import { sql, type Kysely } from 'kysely'

/** Tickets of signed uploads that were used, until they expire: each stores one file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table used_upload_tickets (
      id uuid primary key,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index used_upload_tickets_expires_at on used_upload_tickets (expires_at)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table used_upload_tickets`.execute(db)
}

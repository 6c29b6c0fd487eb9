import { sql, type Kysely } from 'kysely'

/** Mails that a user waits for are sealed, and are found without reading the due notices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index mails_awaited on mails (next_try_at)
    where next_try_at is not null and sealed_data is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index mails_awaited`.execute(db)
}

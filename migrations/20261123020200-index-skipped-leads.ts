import { sql, type Kysely } from 'kysely'

/** Events may be tens of millions: the index is built while they go on. */
export const isOutsideTransaction = true

/** What a client's conditions have kept back lately is counted beside his webhooks; a lead that fits makes no entry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What an earlier try left behind is not valid.
  await sql`drop index concurrently if exists events_skipped`.execute(db)
  await sql`
    create index concurrently events_skipped on events (client_user_id, created_at desc)
    where type = 'delivery.skipped'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists events_skipped`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** Orders are few beside leads, but sales read them constantly, so the index is built without blocking. */
export const isOutsideTransaction = true

/**
 * Deleted orders stay, because bought leads refer to them. A client's live orders are found without them, and
 * recent ones without older ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await down(db)
  await sql`
    create index concurrently orders_live_of_client on orders (client_user_id, created_at desc, id desc)
    where deleted_at is null`.execute(db)
  await sql`
    create index concurrently orders_deleted_of_client on orders (client_user_id, lead_type, deleted_at desc, id desc)
    where deleted_at is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists orders_live_of_client`.execute(db)
  await sql`drop index concurrently if exists orders_deleted_of_client`.execute(db)
}

import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Finds old hours to remove. Rows are written in the order of time, so the coarsest index is enough.
  await sql`create index webhook_endpoint_hours_hour on webhook_endpoint_hours using brin (hour)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index webhook_endpoint_hours_hour`.execute(db)
}

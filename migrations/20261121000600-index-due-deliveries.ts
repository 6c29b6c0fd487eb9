import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Lets the reconciler find overdue deliveries, oldest first.
  await sql`
    create index webhook_deliveries_due on webhook_deliveries (next_attempt_at, id) where state = 'pending'
  `.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index webhook_deliveries_due`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * Counts how often the process that was to send a delivery ended with it, so that such a delivery can be sent
 * alone. Older workers neither count nor check; for them the delivery is like any other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_deliveries add column lost_leases smallint not null default 0`.execute(db)
  await sql`
    comment on column webhook_deliveries.lost_leases is
      'leases in a row that ran out with nothing recorded; after two the delivery is sent alone, and each end of the process that sends it alone counts too'`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_deliveries drop column lost_leases`.execute(db)
}

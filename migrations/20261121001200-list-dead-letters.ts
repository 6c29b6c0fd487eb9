import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_deliveries add column failure_class text`.execute(db)
  await sql`
    comment on column webhook_deliveries.failure_class is
      'why a failed delivery failed: the error class of its last attempt, which outlives the log'`.execute(db)
  await sql`
    update webhook_deliveries d set failure_class = (
      select g.error_class from webhook_delivery_logs g
      where g.lead_id = d.lead_id and g.delivery_id = d.id order by g.created_at desc limit 1)
    where d.state = 'failed'`.execute(db)
  // Lists the dead letters of all clients, newest first.
  await sql`
    create index webhook_deliveries_dead on webhook_deliveries (finished_at desc, id desc) where state = 'failed'
  `.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index webhook_deliveries_dead`.execute(db)
  await sql`alter table webhook_deliveries drop column failure_class`.execute(db)
}

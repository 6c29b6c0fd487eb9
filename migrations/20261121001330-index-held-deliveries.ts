import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Finds the deliveries held for one endpoint, oldest first, without reading its pending ones.
  await sql`
    create index webhook_deliveries_held on webhook_deliveries (webhook_config_id, created_at) where state = 'held'
  `.execute(db)
  // Finds recently changed configurations.
  await sql`create index client_webhook_configs_changed on client_webhook_configs (updated_at)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index client_webhook_configs_changed, webhook_deliveries_held`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * Conditions and sending hours of a configuration; null means every lead, at any time. Deliveries that wait
 * for the hours have their opening as the next attempt, so that due deliveries are found as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table client_webhook_configs
      add column conditions jsonb check (jsonb_typeof(conditions) = 'object'),
      add column sending_hours jsonb check (jsonb_typeof(sending_hours) = 'object')`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client_webhook_configs drop column conditions, drop column sending_hours`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * Which leads a configuration is sent, and when: null is all of them, and always. Deliveries that wait for the hours have their next
 * attempt at their opening, so that what is due is found as before.
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

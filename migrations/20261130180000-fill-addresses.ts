import { sql, type Kysely } from 'kysely'

/**
 * Placeholders in a webhook's URL and headers. Configurations from before keep their texts as they stand until their
 * owner saves them. The filled URL holds a person's data, so it lies with the bodies, which an erasure removes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client_webhook_configs
    add column if not exists fills_address boolean not null default false`.execute(db)
  await sql`alter table webhook_delivery_log_bodies add column if not exists filled_url text`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client_webhook_configs drop column fills_address`.execute(db)
  await sql`alter table webhook_delivery_log_bodies drop column filled_url`.execute(db)
}

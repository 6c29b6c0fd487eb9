import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table client_webhook_configs
      add column missing_values text not null default 'empty' check (missing_values in ('empty', 'null', 'omit')),
      add column success_rule jsonb check (jsonb_typeof(success_rule) = 'object'),
      add column capture_path text`.execute(db)
  await sql`
    alter table webhook_deliveries
      add column outcome text check (outcome in ('accepted', 'duplicate', 'rejected')),
      add column receiver_id text`.execute(db)
  await sql`alter table webhook_delivery_logs add column outcome text, add column receiver_id text`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_delivery_logs drop column outcome, drop column receiver_id`.execute(db)
  await sql`alter table webhook_deliveries drop column outcome, drop column receiver_id`.execute(db)
  await sql`
    alter table client_webhook_configs
      drop column missing_values, drop column success_rule, drop column capture_path`.execute(db)
}

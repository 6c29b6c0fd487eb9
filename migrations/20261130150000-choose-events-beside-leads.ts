import { sql, type Kysely } from 'kysely'

/**
 * Events beside the lead that a webhook has chosen, and its templates for them. Both columns have constant defaults, so
 * no row is rewritten. A delivery of such an event has the event's id in `lead_id`: no lead has it, so nothing that reads
 * the deliveries of leads finds it, and the log is still read by the same index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table client_webhook_configs
      add column if not exists events text[] not null default '{}',
      add column if not exists event_templates jsonb not null default '{}'`.execute(db)
  await sql`
    comment on column client_webhook_configs.event_templates is
      'event → the text of its template, so that key order and numbers reach the wire as they were written'`.execute(
    db,
  )
  for (const table of ['webhook_deliveries', 'webhook_delivery_logs'])
    await sql`
      comment on column ${sql.table(table)}.lead_id is
        'the lead; of an event beside the lead, the id of that event'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client_webhook_configs drop column event_templates, drop column events`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * A webhook that ended a process which sent nothing else is sent alone for a while, so that its next leads
 * end no worker.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_endpoint_health add column alone_until timestamptz`.execute(db)
  await sql`
    comment on column webhook_endpoint_health.alone_until is
      'until then each delivery to it is sent alone: a process that sent nothing else has ended with one'`.execute(
    db,
  )
  await sql`
    create index webhook_endpoint_health_alone on webhook_endpoint_health (alone_until)
    where alone_until is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_endpoint_health drop column alone_until`.execute(db)
}

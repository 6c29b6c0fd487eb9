import { sql, type Kysely } from 'kysely'

/** Sign-ins write both tables and must not wait until an index is built. */
export const isOutsideTransaction = true

export async function up(db: Kysely<unknown>): Promise<void> {
  // Few of the log's rows are changes by administrators and programs, so that any filter on these is quick.
  await sql`drop index concurrently if exists auth.audit_log_changes`.execute(db)
  await sql`
    create index concurrently audit_log_changes on auth.audit_log (at desc, id desc) where actor in ('admin', 'service')`.execute(
    db,
  )
  await sql`drop index concurrently if exists auth.security_events_received_at`.execute(db)
  await sql`
    create index concurrently security_events_received_at on auth.security_events (received_at desc, id desc)`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index auth.audit_log_changes, auth.security_events_received_at`.execute(db)
}

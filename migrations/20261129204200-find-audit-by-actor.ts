import { sql, type Kysely } from 'kysely'

/** Sign-ins write this table and must not wait until an index is built. */
export const isOutsideTransaction = true

/** The acts of one person, newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await down(db)
  await sql`
    create index concurrently audit_log_actor_id_at on auth.audit_log (actor_id, at desc, id desc) where actor_id is not null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists auth.audit_log_actor_id_at`.execute(db)
}

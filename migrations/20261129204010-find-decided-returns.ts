import { sql, type Kysely } from 'kysely'

/** Returns are decided while the index is built. */
export const isOutsideTransaction = true

/** The overview counts the approved returns of an hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await down(db)
  await sql`
    create index concurrently lead_returns_approved on lead_returns (decided_at) where status = 'approved'`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists lead_returns_approved`.execute(db)
}

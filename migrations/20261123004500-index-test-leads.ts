import { sql, type Kysely } from 'kysely'

/** Leads may be tens of millions, so the index is built while they come in. */
export const isOutsideTransaction = true

/**
 * A client's leads are counted by leads_assigned_to, including test leads, and these few are then subtracted.
 * Real leads pay nothing for this index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An index that an earlier try left behind is not valid.
  await down(db)
  await sql`
    create index concurrently leads_test_assigned on leads (assigned_to, created_at) where is_test`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists leads_test_assigned`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** Leads may be millions, so each index is built while they continue. */
export const isOutsideTransaction = true

const TEXT = `(coalesce(name, '') || ' ' || coalesce(email::text, '') || ' ' || coalesce(phone, '')) gin_trgm_ops`

/** In the order of lists, written as in core/data/leads/lists/lead-order.ts. */
const OF_TESTS: Readonly<Record<string, string>> = {
  leads_test_by_name: `lower(left(coalesce(name, ''), 80))`,
  leads_test_by_state: `coalesce(state, '')`,
  leads_test_by_price: `coalesce(price_charged, 0)`,
}

/**
 * The text index also has the ten-day period in which a lead came, so that a search that matches many leads
 * reads the newest first. Test leads, which are few, have their own indexes for the sort orders; other leads
 * pay nothing for them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rebuild(
    db,
    `(array[date_bin(interval '10 days', created_at, timestamptz '2020-01-01 00:00+00')]), ${TEXT}`,
  )
  for (const [name, key] of Object.entries(OF_TESTS)) {
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    await sql`
      create index concurrently ${sql.id(name)} on leads (assigned_to, ${sql.raw(key)}, id)
      where is_test and assigned_to is not null`.execute(db)
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const name of Object.keys(OF_TESTS))
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
  await rebuild(db, TEXT)
}

async function rebuild(db: Kysely<unknown>, columns: string): Promise<void> {
  // An index that an earlier try left behind is not valid.
  await sql`drop index concurrently if exists leads_search_next`.execute(db)
  await sql`create index concurrently leads_search_next on leads using gin (${sql.raw(columns)})`.execute(db)
  await sql`drop index concurrently if exists leads_search`.execute(db)
  await sql`alter index leads_search_next rename to leads_search`.execute(db)
}

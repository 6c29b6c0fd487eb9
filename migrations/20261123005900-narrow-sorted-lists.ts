import { sql, type Kysely } from 'kysely'

/** Leads may be millions, so each index is built while they continue. */
export const isOutsideTransaction = true

const KEYS: Readonly<Record<string, string>> = {
  leads_by_name: `lower(left(coalesce(name, ''), 80))`,
  leads_by_state: `coalesce(state, '')`,
  leads_by_price: `coalesce(price_charged, 0)`,
}

/**
 * Leads of one price are in the order in which they came, so a list of one week by price would read all
 * before it. An index that also has the time skips them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rebuild(db, 'id, created_at')
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await rebuild(db, 'id')
}

async function rebuild(db: Kysely<unknown>, rest: string): Promise<void> {
  for (const [name, key] of Object.entries(KEYS)) {
    const next = sql.id(`${name}_next`)
    // An index that an earlier try left behind is not valid.
    await sql`drop index concurrently if exists ${next}`.execute(db)
    await sql`
      create index concurrently ${next} on leads (assigned_to, ${sql.raw(key)}, ${sql.raw(rest)})
      where assigned_to is not null`.execute(db)
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    await sql`alter index ${next} rename to ${sql.id(name)}`.execute(db)
  }
}

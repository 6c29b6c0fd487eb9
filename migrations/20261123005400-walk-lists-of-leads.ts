import { sql, type Kysely } from 'kysely'

/** Leads may be millions, so each index is built while they continue. */
export const isOutsideTransaction = true

const INDEXES: Readonly<Record<string, string>> = {
  // Ids are assigned in the order in which leads come, so each of these is read newest first without sorting.
  leads_by_type: `leads (assigned_to, lead_type, id) where assigned_to is not null`,
  leads_by_status: `leads (assigned_to, status, id) where assigned_to is not null and status <> 'assigned'`,
  // In the list's own order; otherwise PostgreSQL overestimates these few and walks all of a client's leads
  // to find them. A search for two letters looks up trigrams with every usual third letter; leads with
  // unusual letters are checked separately.
  leads_unusual: `leads (assigned_to) where (coalesce(name, '') || ' ' || coalesce(email::text, '') || ' ' || coalesce(phone, '')) ~ '[^ -~À-ÿ]'`,
  leads_owned: `leads (user_id, created_at desc, id desc) where user_id is not null and assigned_to is distinct from user_id`,
}

/** The indexes that the new ones replace. */
const REPLACED: Readonly<Record<string, string>> = {
  leads_returned: `leads (assigned_to, created_at desc, id desc) where status = 'returned'`,
  leads_owned_only: `leads (user_id, assigned_to) where user_id is not null and assigned_to is distinct from user_id`,
}

/**
 * Indexes for a client's lists of one type or status, and of leads that the client owns and another holds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await build(db, INDEXES)
  await drop(db, REPLACED)
  // PostgreSQL does not estimate a state's frequency from leads_by_state, because that index is partial.
  await sql`drop statistics if exists leads_shown_state`.execute(db)
  await sql`create statistics leads_shown_state on (coalesce(state, '')) from leads`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop statistics if exists leads_shown_state`.execute(db)
  await build(db, REPLACED)
  await drop(db, INDEXES)
}

async function build(db: Kysely<unknown>, indexes: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, on] of Object.entries(indexes)) {
    // An index that an earlier try left behind is not valid.
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
  }
}

async function drop(db: Kysely<unknown>, indexes: Readonly<Record<string, string>>): Promise<void> {
  for (const name of Object.keys(indexes))
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** Leads may be millions: each index is built while they go on. */
export const isOutsideTransaction = true

const INDEXES: Readonly<Record<string, string>> = {
  // Ids are given in the order in which leads come: each of these is walked newest first without sorting.
  leads_by_type: `leads (assigned_to, lead_type, id) where assigned_to is not null`,
  leads_by_status: `leads (assigned_to, status, id) where assigned_to is not null and status <> 'assigned'`,
  // In the list's own order, or PostgreSQL, which takes these few for many, walks all that one owns to find them.
  // Three letters in a row find a lead by two and whatever usual follows; these are looked at beside.
  leads_unusual: `leads (assigned_to) where (coalesce(name, '') || ' ' || coalesce(email::text, '') || ' ' || coalesce(phone, '')) ~ '[^ -~À-ÿ]'`,
  leads_owned: `leads (user_id, created_at desc, id desc) where user_id is not null and assigned_to is distinct from user_id`,
}

/** What these answer for. */
const REPLACED: Readonly<Record<string, string>> = {
  leads_returned: `leads (assigned_to, created_at desc, id desc) where status = 'returned'`,
  leads_owned_only: `leads (user_id, assigned_to) where user_id is not null and assigned_to is distinct from user_id`,
}

/** A client's lists of one type or status, and of what he owns and another holds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await build(db, INDEXES)
  await drop(db, REPLACED)
  // PostgreSQL does not ask leads_by_state how often a state occurs, because it does not hold all leads.
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
    // What an earlier try left behind is not valid.
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
  }
}

async function drop(db: Kysely<unknown>, indexes: Readonly<Record<string, string>>): Promise<void> {
  for (const name of Object.keys(indexes))
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
}

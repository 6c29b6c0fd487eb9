import { sql, type Kysely } from 'kysely'

/** Leads may be millions, so each index is built while they continue. */
export const isOutsideTransaction = true

const INDEXES: Readonly<Record<string, string>> = {
  // Written as in core/data/leads/lists/lead-order.ts: no value in a list's order is null.
  leads_by_name: `leads (assigned_to, lower(left(coalesce(name, ''), 80)), id) where assigned_to is not null`,
  leads_by_state: `leads (assigned_to, coalesce(state, ''), id) where assigned_to is not null`,
  leads_by_price: `leads (assigned_to, coalesce(price_charged, 0), id) where assigned_to is not null`,
  leads_returned: `leads (assigned_to, created_at desc, id desc) where status = 'returned'`,
  // Nearly all of a source's leads belong to its client; finding the few others would otherwise read them
  // all.
  leads_owned_only: `leads (user_id, assigned_to) where user_id is not null and assigned_to is distinct from user_id`,
  lead_assignments_worked: `lead_assignments (client_user_id, disposition, lead_id desc) where state = 'active'`,
  lead_assignments_unopened: `lead_assignments (client_user_id, lead_id desc) where state = 'active' and first_viewed_at is null`,
  webhook_deliveries_failed_leads: `webhook_deliveries (client_user_id, lead_id desc) where state = 'failed'`,
}

/** Indexes for the filters and sort orders of a client's list of leads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, on] of Object.entries(INDEXES)) {
    // An index that an earlier try left behind is not valid.
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
  }
  // The index above replaces it.
  await sql`drop index concurrently if exists lead_assignments_unread`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index concurrently if not exists lead_assignments_unread on lead_assignments (client_user_id)
    where state = 'active' and first_viewed_at is null`.execute(db)
  for (const name of Object.keys(INDEXES))
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** Leads may be millions, so each index is built while they come in. */
export const isOutsideTransaction = true

/**
 * Each lead pays for each index, so one serves all lists: its last two columns filter a list without reading
 * the lead.
 */
const BUILT: Readonly<Record<string, string>> = {
  leads_listed: `index concurrently leads_listed
    on leads (assigned_to, created_at desc, id desc, state, lead_type)`,
  // A lead without one of these keys has no entry in that index.
  leads_external_id: `unique index concurrently leads_external_id
    on leads (source_id, external_id) where external_id is not null`,
  leads_idempotency_key: `unique index concurrently leads_idempotency_key
    on leads (source_id, idempotency_key) where idempotency_key is not null`,
}

/**
 * Indexes for sort orders that take 0.1 s for 100,000 leads without them, and indexes that others replace.
 */
const DROPPED: Readonly<Record<string, string>> = {
  leads_assigned_to: `leads (assigned_to, created_at desc, id desc)`,
  leads_user_id: `leads (user_id, created_at desc, id desc) where user_id is not null`,
  leads_by_type: `leads (assigned_to, lead_type, id) where assigned_to is not null`,
  leads_by_name: `leads (assigned_to, lower(left(coalesce(name, ''), 80)), id, created_at) where assigned_to is not null`,
  leads_by_state: `leads (assigned_to, coalesce(state, ''), id, created_at) where assigned_to is not null`,
  leads_by_price: `leads (assigned_to, coalesce(price_charged, 0), id, created_at) where assigned_to is not null`,
  leads_test_by_name: `leads (assigned_to, lower(left(coalesce(name, ''), 80)), id) where is_test and assigned_to is not null`,
  leads_test_by_state: `leads (assigned_to, coalesce(state, ''), id) where is_test and assigned_to is not null`,
  leads_test_by_price: `leads (assigned_to, coalesce(price_charged, 0), id) where is_test and assigned_to is not null`,
  // lead_assignments_ended has the same rows, and also the client.
  lead_assignments_past: `lead_assignments (lead_id) where state <> 'active'`,
}

const CONSTRAINTS: Readonly<Record<string, string>> = {
  leads_source_id_external_id_key: 'source_id, external_id',
  leads_source_id_idempotency_key_key: 'source_id, idempotency_key',
}

/** docs/operations/indexes.md describes the purpose and cost of each index of leads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of Object.entries(BUILT)) {
    // An index that an earlier try left behind is not valid.
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    await sql`create ${sql.raw(definition)}`.execute(db)
  }
  // Holds a busy table for a moment. If it would have to wait, it gives up and tries again, so that nobody
  // waits behind it.
  await sql`
    do $$
    begin
      for try in 1..600 loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          alter table leads drop constraint if exists leads_source_id_external_id_key,
            drop constraint if exists leads_source_id_idempotency_key_key;
          return;
        exception when lock_not_available then
          perform pg_sleep(0.1);
        end;
      end loop;
      raise exception 'leads were never free for a moment; try again when less is going on';
    end $$`.execute(db)
  for (const name of Object.keys(DROPPED))
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
  await sql`drop statistics if exists leads_shown_state`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`create statistics if not exists leads_shown_state on (coalesce(state, '')) from leads`.execute(db)
  for (const [name, on] of Object.entries(DROPPED)) {
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
  }
  for (const [name, columns] of Object.entries(CONSTRAINTS)) {
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    await sql`create unique index concurrently ${sql.id(name)} on leads (${sql.raw(columns)})`.execute(db)
    await sql`alter table leads add constraint ${sql.id(name)} unique using index ${sql.id(name)}`.execute(db)
  }
  for (const name of Object.keys(BUILT))
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
}

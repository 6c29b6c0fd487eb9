import { sql, type Kysely } from 'kysely'

/** Leads may be millions, so their rows are validated while they continue. */
export const isOutsideTransaction = true

const BEFORE = ['new', 'assigned', 'unassigned', 'duplicate', 'rejected', 'expired', 'redacted']

/** Adds the state `returned` for a lead that was given back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await allow(db, [...BEFORE, 'returned'])
  // Every view of what was sent to a client checks that the client still has the lead; few assignments have
  // ended.
  await sql`drop index concurrently if exists lead_assignments_ended`.execute(db)
  await sql`
    create index concurrently lead_assignments_ended on lead_assignments (lead_id, client_user_id)
    where state <> 'active'`.execute(db)
  await sql`drop index concurrently if exists lead_returns_newest`.execute(db)
  await sql`create index concurrently lead_returns_newest on lead_returns (created_at, id)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists lead_assignments_ended`.execute(db)
  await sql`drop index concurrently if exists lead_returns_newest`.execute(db)
  await sql`update leads set status = 'assigned' where status = 'returned'`.execute(db)
  await allow(db, BEFORE)
}

async function allow(db: Kysely<unknown>, statuses: readonly string[]): Promise<void> {
  const listed = sql.join(statuses.map((status) => sql.lit(status)))
  // Takes an exclusive lock for an instant, so that nobody waits behind it for longer.
  await sql`
    do $do$
    begin
      loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          alter table leads drop constraint if exists leads_status_check,
            add constraint leads_status_check check (status in (${listed})) not valid;
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $do$`.execute(db)
  await sql`alter table leads validate constraint leads_status_check`.execute(db)
}

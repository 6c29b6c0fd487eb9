import { sql, type Kysely } from 'kysely'

/** Needs each table for itself for an instant. */
export const isOutsideTransaction = true

/**
 * Sales that a CRM reports, and late credits, are part of the sums of a client's days
 * (20261124004000-sum-days-of-leads.ts), so a change of either is noted. An erasure empties only the note of an outcome.
 */
const TRIGGERS = [
  ['lead_outcomes', 'after insert or update of outcome, amount or delete'],
  ['late_leads', 'after insert or update of credit, price or delete'],
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, when] of TRIGGERS)
    await takeInAnInstant(
      db,
      `create or replace trigger note_day ${when} on ${table} for each row execute function note_day_of_its_lead()`,
    )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const [table] of TRIGGERS) await takeInAnInstant(db, `drop trigger if exists note_day on ${table}`)
}

/** Runs a statement that needs the table for itself; nobody waits behind it for long. */
async function takeInAnInstant(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql`
    do $do$
    begin
      loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          ${sql.raw(statement)};
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $do$`.execute(db)
}

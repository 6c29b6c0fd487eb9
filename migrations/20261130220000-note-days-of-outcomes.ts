import { sql, type Kysely } from 'kysely'

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
    await sql`create or replace trigger note_day ${sql.raw(when)} on ${sql.table(table)}
      for each row execute function note_day_of_its_lead()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const [table] of TRIGGERS)
    await sql`drop trigger if exists note_day on ${sql.table(table)}`.execute(db)
}

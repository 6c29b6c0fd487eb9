import { sql, type Kysely } from 'kysely'

/**
 * A lead that was being sent when its webhook was deleted may still arrive, so until then it is not credited.
 * Older versions ignore this table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table undelivered_leads add column leaving_until timestamptz`.execute(db)
  // The return of a lead also reads it by the lead's client.
  await sql`
    create index undelivered_leads_leaving on undelivered_leads (assignment_id) where leaving_until is not null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table undelivered_leads drop column leaving_until`.execute(db)
}

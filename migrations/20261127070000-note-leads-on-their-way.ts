import { sql, type Kysely } from 'kysely'

/**
 * A lead that was being sent when its webhook was deleted may arrive after all: until then nobody is credited for it. Older versions know
 * nothing of it and go on as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table undelivered_leads add column leaving_until timestamptz`.execute(db)
  // Also asked for one lead's client by the return of it.
  await sql`
    create index undelivered_leads_leaving on undelivered_leads (assignment_id) where leaving_until is not null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table undelivered_leads drop column leaving_until`.execute(db)
}

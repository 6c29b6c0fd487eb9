import { sql, type Kysely } from 'kysely'

/** Leads may be millions, so each index is built while they continue. */
export const isOutsideTransaction = true

const LEFT = `assigned_to is null and status in ('unassigned', 'expired') and not is_test`

/**
 * A client whose lead was taken back is not sold the same person again soon, even if nobody has the lead
 * since. So leads without a holder can be found by phone and email, like sold ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await down(db)
  await sql`
    create index concurrently leads_left_phone on leads (phone, lead_type)
    where phone is not null and ${sql.raw(LEFT)}`.execute(db)
  await sql`
    create index concurrently leads_left_email on leads (email, lead_type)
    where email is not null and ${sql.raw(LEFT)}`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists leads_left_phone`.execute(db)
  await sql`drop index concurrently if exists leads_left_email`.execute(db)
}

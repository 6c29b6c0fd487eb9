import { sql, type Kysely } from 'kysely'

/** Leads may be millions, so the index is built while they come in. */
export const isOutsideTransaction = true

/** The list of one person's leads. A shared lead has no entry, so it costs its sale nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An index that an earlier try left behind is not valid.
  await down(db)
  await sql`
    create index concurrently leads_of_member on leads (member_user_id, created_at desc, id desc)
    where member_user_id is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists leads_of_member`.execute(db)
}

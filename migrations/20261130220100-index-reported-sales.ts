import { sql, type Kysely } from 'kysely'

/** The index is built while CRMs report. */
export const isOutsideTransaction = true

/** The sales that a client's CRM reported, in the order of its leads, for the figures of a period. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists lead_outcomes_sales`.execute(db)
  await sql`
    create index concurrently lead_outcomes_sales on lead_outcomes (client_user_id, lead_id, assignment_id, id desc)
    where outcome = 'sold' and amount is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists lead_outcomes_sales`.execute(db)
}

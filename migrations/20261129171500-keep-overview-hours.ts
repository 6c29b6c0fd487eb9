import { sql, type Kysely } from 'kysely'

/**
 * Keeps what happened in each past hour, for the overview of the administration. A worker counts it after the hour,
 * so that nothing is written on the way of a lead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table overview_hours (
      hour timestamptz primary key,
      form integer not null,
      counted_at timestamptz not null,
      market jsonb not null,
      deliveries jsonb not null
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table overview_hours`.execute(db)
}

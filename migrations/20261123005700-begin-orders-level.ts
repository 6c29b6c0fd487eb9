import { sql, type Kysely } from 'kysely'

/**
 * The leads that a new order counts as received in the ranking of its first day: as many as its client's
 * furthest order of the type. Caps and budgets ignore it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table orders add column ahead_day date not null default '-infinity',
      add column ahead_leads integer not null default 0 check (ahead_leads >= 0)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders drop column ahead_day, drop column ahead_leads`.execute(db)
}

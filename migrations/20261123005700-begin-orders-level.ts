import { sql, type Kysely } from 'kysely'

/**
 * What a new order counts as received where orders are ranked, on the day on which it is made: as much as its client's furthest one of
 * the type. Caps and budgets know nothing of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table orders add column ahead_day date not null default '-infinity',
      add column ahead_leads integer not null default 0 check (ahead_leads >= 0)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders drop column ahead_day, drop column ahead_leads`.execute(db)
}

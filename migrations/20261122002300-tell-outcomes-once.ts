import { sql, type Kysely } from 'kysely'

/**
 * A worker numbers its reports about endpoints, so that a commit whose answer was lost is not counted twice.
 * Outcomes are ordered by the end of the exchange: a row of attempts without an answer needs its beginning
 * and the answer before it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_outcome_tellers (
      id uuid primary key,
      told bigint not null,
      told_at timestamptz not null default now()
    ) with (fillfactor = 50)`.execute(db)
  await sql`
    comment on column webhook_outcome_tellers.told is
      'the number of the last telling that is counted; one that comes again is left out'`.execute(db)
  // A version that does not know these columns leaves them empty, which means unknown.
  await sql`
    alter table webhook_endpoint_health
      add column last_answer_at timestamptz,
      add column unanswered_since timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhook_endpoint_health drop column unanswered_since, drop column last_answer_at`.execute(db)
  await sql`drop table webhook_outcome_tellers`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * A worker numbers what it tells of endpoints, so that a commit whose answer was lost is not counted a second time. And what
 * counts is when an exchange ended: a row of attempts without an answer needs its beginning, and the answer before it.
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
  // A version that does not know them leaves them empty, which means: not known.
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

import { sql, type Kysely } from 'kysely'

/** The outcomes that clients' CRMs posted, in the order in which they came. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lead_outcomes (
      id uuid primary key default uuid_v7(),
      lead_id uuid not null references leads (id) on delete cascade,
      assignment_id uuid not null,
      client_user_id uuid not null,
      webhook_config_id uuid not null,
      outcome text not null,
      amount numeric(12, 2),
      note text,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index lead_outcomes_of_lead on lead_outcomes (lead_id, id desc)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table lead_outcomes`.execute(db)
}

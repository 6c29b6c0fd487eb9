import { sql, type Kysely } from 'kysely'

/** Which steps of the set-up a client has put off. What is done is told by what is there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table client_accounts add column skipped_setup_steps text[] not null default '{}'
      check (skipped_setup_steps <@ array['business', 'order', 'webhook', 'test_lead', 'funds'])`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client_accounts drop column skipped_setup_steps`.execute(db)
}

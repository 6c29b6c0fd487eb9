import { sql, type Kysely } from 'kysely'

/** The steps of the setup that a client has skipped. Finished steps are derived from existing data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table client_accounts add column skipped_setup_steps text[] not null default '{}'
      check (skipped_setup_steps <@ array['business', 'order', 'webhook', 'test_lead', 'funds'])`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client_accounts drop column skipped_setup_steps`.execute(db)
}

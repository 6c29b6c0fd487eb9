import { sql, type Kysely } from 'kysely'

/**
 * Keys of configurations that somebody could no longer see from a moment of the last day on: the whole account, because
 * it was deleted, or one person, because it was given to another. Servers tell it to the sockets of their clients. No
 * foreign key: the row outlives what it names.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lost_webhooks (
      id bigint generated always as identity primary key,
      webhook_config_id uuid not null,
      client_user_id uuid not null,
      member_user_id uuid,
      is_deleted boolean not null,
      lost_at timestamptz not null default clock_timestamp()
    )`.execute(db)
  await sql`create index lost_webhooks_newest on lost_webhooks (lost_at)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table lost_webhooks`.execute(db)
}

import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // One press of "Resend failed since…" with what it took, so that its progress can be counted and waiting
  // deliveries stopped.
  await sql`
    create table webhook_replays (
      id uuid primary key default uuid_v7(),
      webhook_config_id uuid not null references client_webhook_configs (id) on delete cascade,
      client_user_id uuid not null,
      since timestamptz not null,
      resent integer not null,
      hurried integer not null,
      created_at timestamptz not null default now(),
      cancelled_at timestamptz
    )`.execute(db)
  await sql`
    create index webhook_replays_config on webhook_replays (webhook_config_id, created_at desc, id desc)
  `.execute(db)

  // replay_attempt is the number of attempts when the replay took the delivery, so that later ones can be
  // counted.
  await sql`
    alter table webhook_deliveries
      add column replay_id uuid, add column replay_attempt integer, add column cancelled_by uuid`.execute(db)
  await sql`
    create index webhook_deliveries_replay on webhook_deliveries (replay_id) where replay_id is not null
  `.execute(db)
  await sql`
    create index webhook_deliveries_resend on webhook_deliveries (resend_of) where resend_of is not null
  `.execute(db)
  // Written once in a delivery's life, in the update that changes its state, so attempts cost nothing more.
  await sql`
    create index webhook_deliveries_failed on webhook_deliveries (webhook_config_id, finished_at)
    where state = 'failed'`.execute(db)
  await sql`
    create index webhook_deliveries_cancelled on webhook_deliveries (webhook_config_id, finished_at desc, id desc)
    where state = 'cancelled'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhook_deliveries drop column replay_id, drop column replay_attempt, drop column cancelled_by
  `.execute(db)
  await sql`drop index webhook_deliveries_resend, webhook_deliveries_failed, webhook_deliveries_cancelled`.execute(
    db,
  )
  await sql`drop table webhook_replays`.execute(db)
}

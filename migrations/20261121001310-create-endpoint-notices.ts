import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Records the notices about an endpoint with their times, so that each switch-off is reported, and nothing
  // twice.
  await sql`
    create table webhook_endpoint_notices (
      id uuid primary key default uuid_v7(),
      webhook_config_id uuid not null references client_webhook_configs (id) on delete cascade,
      kind text not null check (kind in ('failing', 'recovered', 'switched_off')),
      spell_at timestamptz not null,
      mailed boolean not null,
      created_at timestamptz not null default now(),
      unique (webhook_config_id, kind, spell_at)
    )`.execute(db)
  await sql`
    comment on column webhook_endpoint_notices.spell_at is
      'since when it failed, or when it was switched off: one notice for each such spell'`.execute(db)
  // Owners already know of webhooks that were switched off before there were notices, so nobody gets a mail
  // about them now.
  await sql`
    insert into webhook_endpoint_notices (webhook_config_id, kind, spell_at, mailed)
    select id, 'switched_off', disabled_at, false from client_webhook_configs
    where disabled_at is not null and not is_active`.execute(db)
  await sql`
    create index client_webhook_configs_disabled on client_webhook_configs (disabled_at) where disabled_at is not null
  `.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index client_webhook_configs_disabled`.execute(db)
  await sql`drop table webhook_endpoint_notices`.execute(db)
}

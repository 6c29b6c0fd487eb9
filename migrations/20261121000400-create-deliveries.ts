import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The outbox and the lead's timeline in one: deliverable rows wait with enqueued_at null until Redis has
  // them.
  await sql`
    create table events (
      id uuid primary key default uuid_v7(),
      type text not null,
      lead_id uuid not null references leads (id) on delete cascade,
      client_user_id uuid,
      data jsonb not null default '{}',
      created_at timestamptz not null default now(),
      enqueued_at timestamptz,
      planned_at timestamptz
    ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)`.execute(db)
  await sql`create index events_lead on events (lead_id, created_at)`.execute(db)
  await sql`create index events_to_enqueue on events (created_at) where enqueued_at is null`.execute(db)
  await sql`create index events_to_plan on events (created_at) where planned_at is null`.execute(db)

  await sql`
    create table client_webhook_configs (
      id uuid primary key default uuid_v7(),
      client_user_id uuid not null references profiles (user_id) on delete cascade,
      created_by uuid references profiles (user_id) on delete set null,
      webhook_name text not null,
      endpoint_url text not null,
      request_method text not null default 'POST' check (request_method in ('POST', 'PUT', 'PATCH')),
      payload_type text not null default 'JSON' check (payload_type in ('JSON', 'FORM')),
      is_active boolean not null default true,
      disabled_reason text,
      disabled_at timestamptz,
      trigger_on_lead_created boolean not null default false,
      trigger_on_lead_assigned boolean not null default true,
      custom_headers jsonb not null default '{}' check (jsonb_typeof(custom_headers) = 'object'),
      payload_template json not null check (json_typeof(payload_template) = 'object'),
      signing_secret text not null,
      previous_signing_secret text,
      previous_secret_expires_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    comment on column client_webhook_configs.payload_template is
      'json, not jsonb: the text is kept, so key order and numbers reach the wire as they were written'`.execute(
    db,
  )
  await sql`
    comment on column client_webhook_configs.custom_headers is
      'header names in clear, each value encrypted (AES-256-GCM) with SECRETS_KEY'`.execute(db)
  await sql`
    create index client_webhook_configs_owner on client_webhook_configs (client_user_id, created_at desc, id desc)
  `.execute(db)

  await sql`
    create table webhook_deliveries (
      id uuid primary key default uuid_v7(),
      event_id uuid not null references events (id) on delete cascade,
      event_type text not null,
      webhook_config_id uuid not null references client_webhook_configs (id) on delete cascade,
      client_user_id uuid not null,
      lead_id uuid not null,
      state text not null default 'pending' check (state in ('pending', 'held', 'delivered', 'failed', 'cancelled')),
      attempt integer not null default 0 check (attempt >= 0),
      next_attempt_at timestamptz default now(),
      lease_token uuid,
      lease_until timestamptz,
      resend_of uuid,
      created_at timestamptz not null default now(),
      finished_at timestamptz
    ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)`.execute(db)
  // The same (configuration, event) is never planned twice, under any race; a resend is a new delivery on
  // purpose.
  await sql`
    create unique index webhook_deliveries_once on webhook_deliveries (event_id, webhook_config_id)
    where resend_of is null`.execute(db)
  // Covers only unfinished rows, so that the columns that every attempt changes stay out of every index (HOT
  // updates).
  await sql`
    create index webhook_deliveries_open on webhook_deliveries (webhook_config_id, created_at desc)
    where state in ('pending', 'held')`.execute(db)
  await sql`create index webhook_deliveries_lead on webhook_deliveries (lead_id)`.execute(db)

  // One row per attempt, never updated. No foreign keys: partitions must attach, detach and drop freely.
  await sql`
    create table webhook_delivery_logs (
      id uuid not null default uuid_v7(),
      created_at timestamptz not null default now(),
      webhook_config_id uuid not null,
      client_user_id uuid not null,
      delivery_id uuid not null,
      event_id uuid not null,
      event_type text not null,
      lead_id uuid not null,
      delivery_status text not null,
      response_status integer,
      attempt_number integer not null,
      processing_time_ms integer,
      error_class text,
      error_message text,
      next_attempt_at timestamptz,
      remote_address text,
      request_url text not null,
      request_method text not null,
      request_headers text not null,
      request_body text not null,
      response_headers text,
      response_body text,
      response_truncated boolean not null default false,
      timing text,
      primary key (created_at, id)
    ) partition by range (created_at)`.execute(db)
  await sql`
    create index webhook_delivery_logs_config on webhook_delivery_logs (webhook_config_id, created_at desc, id desc)
  `.execute(db)
  await sql`create index webhook_delivery_logs_lead on webhook_delivery_logs (lead_id, created_at desc)`.execute(
    db,
  )
  await sql`create table webhook_delivery_logs_default partition of webhook_delivery_logs default`.execute(db)

  // Creates weekly partitions ahead of time; safe to run from several processes at once.
  await sql`
    create function ensure_delivery_log_partitions(weeks_ahead integer) returns integer
    language plpgsql set search_path = public as $$
    declare
      monday date := date_trunc('week', now() at time zone 'utc')::date;
      made integer := 0;
      partition text;
    begin
      perform pg_advisory_xact_lock(hashtext('ensure_delivery_log_partitions'));
      for week in 0..weeks_ahead loop
        partition := 'webhook_delivery_logs_' || to_char(monday + week * 7, 'YYYYMMDD');
        if to_regclass(partition) is null then
          execute format(
            'create table %I partition of webhook_delivery_logs for values from (%L) to (%L)',
            partition, (monday + week * 7)::text || ' 00:00+00', (monday + week * 7 + 7)::text || ' 00:00+00');
          made := made + 1;
        end if;
      end loop;
      return made;
    end $$`.execute(db)
  await sql`select ensure_delivery_log_partitions(4)`.execute(db)

  await sql`
    create table idempotency_keys (
      user_id uuid not null references profiles (user_id) on delete cascade,
      operation text not null,
      key text not null,
      fingerprint bytea not null,
      resource_id uuid not null,
      created_at timestamptz not null default now(),
      primary key (user_id, operation, key)
    )`.execute(db)
  // One row that proves at start that every process shares the key under which secrets are kept.
  await sql`
    create table secrets_key_check (
      "only" boolean primary key default true check ("only"),
      sealed text not null
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table secrets_key_check, idempotency_keys, webhook_delivery_logs, webhook_deliveries`.execute(
    db,
  )
  await sql`drop function ensure_delivery_log_partitions(integer)`.execute(db)
  await sql`drop table client_webhook_configs, events`.execute(db)
}

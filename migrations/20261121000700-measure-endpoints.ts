import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The results of an hour's deliveries, stored beside the log so that they need not be counted.
  await sql`
    create table webhook_endpoint_hours (
      webhook_config_id uuid not null references client_webhook_configs (id) on delete cascade,
      hour timestamptz not null,
      delivered integer not null default 0,
      failed integer not null default 0,
      latency integer[] not null,
      primary key (webhook_config_id, hour)
    ) with (fillfactor = 70)`.execute(db)
  await sql`
    comment on column webhook_endpoint_hours.latency is
      'attempts by how long they took: one count for each step of LATENCY_STEPS_MS (core/domain/webhooks/latency.ts), one above'
  `.execute(db)

  // The present health of an endpoint. It has its own table, because every worker would read a changed row of
  // client_webhook_configs again.
  await sql`
    create table webhook_endpoint_health (
      webhook_config_id uuid primary key references client_webhook_configs (id) on delete cascade,
      failures_in_row integer not null default 0,
      failing_since timestamptz,
      last_attempt_at timestamptz,
      last_success_at timestamptz,
      last_status integer,
      last_error_class text,
      last_error_message text,
      unanswered_in_row integer not null default 0,
      breaker text not null default 'closed' check (breaker in ('closed', 'open')),
      opened_at timestamptz,
      releasing_since timestamptz,
      probes integer not null default 0,
      probe_at timestamptz,
      probe_delivery_id uuid,
      warned_at timestamptz,
      updated_at timestamptz not null default now()
    ) with (fillfactor = 70)`.execute(db)
  await sql`
    comment on column webhook_endpoint_health.unanswered_in_row is
      'attempts in a row that cost time or came too fast for the endpoint (core/domain/webhooks/breaker.ts); any other result ends the row'
  `.execute(db)
  await sql`
    create index webhook_endpoint_health_open on webhook_endpoint_health (probe_at) where breaker = 'open'
  `.execute(db)
  await sql`
    create index webhook_endpoint_health_releasing on webhook_endpoint_health (webhook_config_id)
    where releasing_since is not null`.execute(db)
  await sql`
    comment on column webhook_endpoint_health.releasing_since is
      'the breaker closed then, and deliveries that were held may still wait to be let go'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table webhook_endpoint_health, webhook_endpoint_hours`.execute(db)
}

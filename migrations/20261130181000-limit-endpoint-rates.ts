import { sql, type Kysely } from 'kysely'

/**
 * Requests a minute that a webhook's endpoint takes. The token bucket is a row of its own, which claims of all workers
 * lock: a claim would otherwise change the configuration's version. A trigger keeps the rows, for every version of the
 * server. `full_at`: when the bucket is full again, if nothing is sent until then.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client_webhook_configs add column if not exists requests_per_minute int`.execute(db)
  await sql`
    create table if not exists webhook_rate_limits (
      webhook_config_id uuid primary key references client_webhook_configs (id) on delete cascade,
      per_minute int not null check (per_minute > 0),
      full_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create or replace function keep_rate_limit() returns trigger language plpgsql set search_path = public as $$
    begin
      if new.requests_per_minute is null then
        delete from webhook_rate_limits where webhook_config_id = new.id;
      else
        insert into webhook_rate_limits (webhook_config_id, per_minute) values (new.id, new.requests_per_minute)
        on conflict (webhook_config_id) do update set per_minute = excluded.per_minute;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger open_rate_limit after insert on client_webhook_configs for each row
      when (new.requests_per_minute is not null) execute function keep_rate_limit()`.execute(db)
  await sql`
    create trigger change_rate_limit after update of requests_per_minute on client_webhook_configs for each row
      when (old.requests_per_minute is distinct from new.requests_per_minute) execute function keep_rate_limit()`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger change_rate_limit on client_webhook_configs`.execute(db)
  await sql`drop trigger open_rate_limit on client_webhook_configs`.execute(db)
  await sql`drop function keep_rate_limit()`.execute(db)
  await sql`drop table webhook_rate_limits`.execute(db)
  await sql`alter table client_webhook_configs drop column requests_per_minute`.execute(db)
}

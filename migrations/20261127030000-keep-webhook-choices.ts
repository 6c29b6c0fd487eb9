import { sql, type Kysely } from 'kysely'

/**
 * Triggers and conditions apply as they were when an event happened, also if it is planned later.
 * `choice_since` is the time since which those of the row apply; the trigger keeps the earlier ones, for
 * every version of the server. A change counts from clock_timestamp(), not from now(): its transaction may
 * have waited for the row while leads came. The start of the present choices is unknown, so they apply from
 * the beginning.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table client_webhook_configs
      add column choice_since timestamptz not null default '-infinity',
      add column retired_at timestamptz`.execute(db)
  await sql`alter table client_webhook_configs alter column choice_since set default now()`.execute(db)
  await sql`
    comment on column client_webhook_configs.retired_at is
      'it is being deleted, or its account was erased: while it is off, nothing is kept for it'`.execute(db)
  await sql`
    create table webhook_choices (
      id uuid primary key default uuid_v7(),
      webhook_config_id uuid not null references client_webhook_configs (id) on delete cascade,
      since timestamptz not null,
      until timestamptz not null,
      trigger_on_lead_created boolean not null,
      trigger_on_lead_assigned boolean not null,
      conditions jsonb
    )`.execute(db)
  await sql`create index webhook_choices_config on webhook_choices (webhook_config_id, until)`.execute(db)
  await sql`create index webhook_choices_until on webhook_choices (until)`.execute(db)
  await sql`
    create function keep_webhook_choice() returns trigger language plpgsql set search_path = public as $$
    begin
      new.choice_since := greatest(clock_timestamp(), old.choice_since);
      insert into webhook_choices (webhook_config_id, since, until, trigger_on_lead_created, trigger_on_lead_assigned, conditions)
      values (old.id, old.choice_since, new.choice_since, old.trigger_on_lead_created, old.trigger_on_lead_assigned, old.conditions);
      return new;
    end $$`.execute(db)
  await sql`
    create trigger keep_choice before update of trigger_on_lead_created, trigger_on_lead_assigned, conditions
      on client_webhook_configs for each row
      when ((old.trigger_on_lead_created, old.trigger_on_lead_assigned, old.conditions)
        is distinct from (new.trigger_on_lead_created, new.trigger_on_lead_assigned, new.conditions))
      execute function keep_webhook_choice()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger keep_choice on client_webhook_configs`.execute(db)
  await sql`drop function keep_webhook_choice()`.execute(db)
  await sql`drop table webhook_choices`.execute(db)
  await sql`alter table client_webhook_configs drop column choice_since, drop column retired_at`.execute(db)
}

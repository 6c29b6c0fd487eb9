import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant, so that no sale waits for several of them. */
export const isOutsideTransaction = true

/**
 * Administrators may pause all sending to a client. The account says since when and why. Each of its webhooks carries
 * the same, because a claim reads the webhook's row anyway: so the pause costs deliveries of other clients nothing. A
 * webhook that is added meanwhile is paused too, whichever version adds it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table client_accounts add column if not exists sending_paused_at timestamptz, add column if not exists sending_pause_reason text`.execute(
    db,
  )
  await sql`
    alter table client_accounts drop constraint if exists client_accounts_sending_pause,
      add constraint client_accounts_sending_pause check ((sending_paused_at is null) = (sending_pause_reason is null))`.execute(
    db,
  )
  await sql`alter table client_webhook_configs add column if not exists sending_pause_reason text`.execute(db)
  await sql`
    create or replace function keep_sending_pause() returns trigger language plpgsql set search_path = public as $$
    begin
      -- Adding a webhook and pausing both lock the client's profile first, so neither misses the other.
      select sending_pause_reason into new.sending_pause_reason from client_accounts where user_id = new.client_user_id;
      return new;
    end $$`.execute(db)
  await sql`
    create or replace trigger keep_sending_pause before insert on client_webhook_configs
    for each row execute function keep_sending_pause()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger keep_sending_pause on client_webhook_configs`.execute(db)
  await sql`drop function keep_sending_pause()`.execute(db)
  await sql`alter table client_webhook_configs drop column sending_pause_reason`.execute(db)
  await sql`
    alter table client_accounts drop constraint client_accounts_sending_pause,
      drop column sending_pause_reason, drop column sending_paused_at`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * An open holder of a revocation is looked at once a delivery of it has ended, instead of every few seconds. The condition
 * is checked only for statements that set a delivery's status.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function look_at_holder() returns trigger language plpgsql as $$
    begin
      update revocation_holders set look_at = '-infinity' where event_id = new.event_id and acknowledged_at is null;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger look_at_holder after update of state on webhook_deliveries for each row
      when (new.event_type = 'lead.consent_revoked' and new.finished_at is not null)
      execute function look_at_holder()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger look_at_holder on webhook_deliveries`.execute(db)
  await sql`drop function look_at_holder()`.execute(db)
}

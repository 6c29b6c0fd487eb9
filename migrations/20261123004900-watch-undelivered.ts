import { sql, type Kysely } from 'kysely'

/** Deliveries and assignments may be millions, so nothing may wait for this migration. */
export const isOutsideTransaction = true

/**
 * Notes each lead whose delivery finally fails and whose order does not keep such leads, in the transaction
 * that fails it, also of an older version. A worker then checks whether another webhook has it
 * (worker/housekeeping/market/settle-undelivered.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A lead may be noted more than once, so that concurrent writers do not wait for each other.
  await sql`
    create table if not exists undelivered_leads (
      id uuid primary key default uuid_v7(),
      assignment_id uuid not null,
      noted_at timestamptz not null default now(),
      due_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index if not exists undelivered_leads_due on undelivered_leads (due_at)`.execute(db)
  await sql`
    create or replace function note_undelivered() returns trigger language plpgsql set search_path = public as $$
    begin
      insert into undelivered_leads (assignment_id)
      select a.id from lead_assignments a join orders o on o.id = a.order_id
      where a.lead_id = new.lead_id and a.state = 'active' and a.client_user_id = new.client_user_id
        and o.when_undelivered <> 'keep';
      return null;
    end $$`.execute(db)
  await takeInAnInstant(
    db,
    `create or replace trigger note_undelivered after update of state on webhook_deliveries for each row
    when (new.state = 'failed' and old.state <> 'failed' and new.event_type = 'lead.assigned') execute function note_undelivered()`,
  )
  // Lists leads that were passed on, for their past holders.
  await sql`drop index concurrently if exists lead_assignments_revoked`.execute(db)
  await sql`
    create index concurrently lead_assignments_revoked on lead_assignments (client_user_id, lead_id desc)
    where state = 'revoked'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists lead_assignments_revoked`.execute(db)
  await takeInAnInstant(db, 'drop trigger if exists note_undelivered on webhook_deliveries')
  await sql`drop function if exists note_undelivered()`.execute(db)
  await sql`drop table if exists undelivered_leads`.execute(db)
}

/** Runs a statement that needs the table for itself; nobody waits behind it for long. */
async function takeInAnInstant(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql`
    do $do$
    begin
      loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          ${sql.raw(statement)};
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $do$`.execute(db)
}

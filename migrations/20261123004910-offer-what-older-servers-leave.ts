import { sql, type Kysely } from 'kysely'

/** Leads may be millions, so nothing may wait for this migration. */
export const isOutsideTransaction = true

/**
 * A server of an older version marks a lead without a client as left over at once, and offers it to nobody.
 * This offers it like an unsold one: at the end of its transaction, like every cause of another offer
 * (20261123004310-offer-leads-again.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function offer_left_over() returns trigger language plpgsql set search_path = public as $$
    begin
      update lead_types set offer_again_at = now()
      where code = new.lead_type and (offer_again_at is null or offer_again_at > now());
      return null;
    end $$`.execute(db)
  await takeInAnInstant(
    db,
    `drop trigger if exists offer_left_over on leads;
    create constraint trigger offer_left_over after insert on leads deferrable initially deferred
    for each row when (new.status = 'unassigned') execute function offer_left_over()`,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await takeInAnInstant(db, 'drop trigger if exists offer_left_over on leads')
  await sql`drop function if exists offer_left_over()`.execute(db)
}

/** Runs statements that need the table for themselves; nobody waits behind them for long. */
async function takeInAnInstant(db: Kysely<unknown>, statements: string): Promise<void> {
  await sql`
    do $do$
    begin
      loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          ${sql.raw(statements)};
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $do$`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** Needs the table for itself for an instant. */
export const isOutsideTransaction = true

/**
 * A lead that is stored with its assignment is new, and new leads have no sums. The storing statement sets a
 * flag (core/data/market/note-days.ts), so the trigger looks nothing up. An older server sets none, so the
 * trigger still runs for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceTrigger(db, `when (current_setting('leadwire.days_are_noted', true) is distinct from 'yes')`)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replaceTrigger(db, '')
}

async function replaceTrigger(db: Kysely<unknown>, when: string): Promise<void> {
  await sql`
    do $do$
    begin
      loop
        begin
          perform set_config('lock_timeout', '50ms', true);
          create or replace trigger note_day_brought after insert on lead_assignments referencing new table as touched
            for each statement ${sql.raw(when)} execute function note_days_of_their_leads();
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.05);
        end;
      end loop;
    end $do$`.execute(db)
}

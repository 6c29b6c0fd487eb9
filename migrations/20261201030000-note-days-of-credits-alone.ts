import { sql, type Kysely } from 'kysely'

/**
 * Late leads are part of the sums of a client's days only once they are credited. Judging the others, and removing them
 * by their age, voids no sum any more.
 */
const TRIGGERS = {
  note_day: `after update of credit, price on late_leads for each row
    when (old.credit = 'credited' or new.credit = 'credited')`,
  note_day_brought: `after insert on late_leads for each row when (new.credit = 'credited')`,
  note_day_removed: `after delete on late_leads for each row when (old.credit = 'credited')`,
} as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, when] of Object.entries(TRIGGERS)) await replaceTrigger(db, name, when)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const name of ['note_day_brought', 'note_day_removed'])
    await sql`drop trigger if exists ${sql.raw(name)} on late_leads`.execute(db)
  await replaceTrigger(
    db,
    'note_day',
    'after insert or update of credit, price or delete on late_leads for each row',
  )
}

async function replaceTrigger(db: Kysely<unknown>, name: string, when: string): Promise<void> {
  await sql`create or replace trigger ${sql.raw(name)} ${sql.raw(when)} execute function note_day_of_its_lead()`.execute(
    db,
  )
}

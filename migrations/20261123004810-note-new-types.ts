import { sql, type Kysely } from 'kysely'

/** Who keeps orders in mind hears of the price of a type that is new, too (20261123004800-note-market-changes.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger note_type_written after insert on lead_types for each row execute function note_type()`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger note_type_written on lead_types`.execute(db)
}

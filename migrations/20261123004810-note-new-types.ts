import { sql, type Kysely } from 'kysely'

/**
 * The price of a new lead type is noted too, for processes that cache orders
 * (20261123004800-note-market-changes.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger note_type_written after insert on lead_types for each row execute function note_type()`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger note_type_written on lead_types`.execute(db)
}

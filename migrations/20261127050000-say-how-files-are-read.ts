import { sql, type Kysely } from 'kysely'

/**
 * Adds to a file of leads: the row that names its columns, the candidate rows, samples of its letters in
 * other encodings, and the number of interrupted tries.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table lead_imports
      -- as somebody chose, until it is read; then as it was found
      add column header integer,
      add column head jsonb not null default '[]' check (jsonb_typeof(head) = 'array'),
      add column suggested_encoding text,
      add column tries integer not null default 0`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table lead_imports drop column header, drop column head, drop column suggested_encoding, drop column tries`.execute(
    db,
  )
}

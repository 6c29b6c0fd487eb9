import { sql, type Kysely } from 'kysely'

/** Files may be many, so the index is built while they are stored. */
export const isOutsideTransaction = true

/** A folder is listed in the order of names, without its subfolders' files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists stored_files_folder`.execute(db)
  await sql`
    create index concurrently stored_files_folder
    on stored_files (bucket_id, (regexp_replace(name, '[^/]*$', '')), name)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists stored_files_folder`.execute(db)
}

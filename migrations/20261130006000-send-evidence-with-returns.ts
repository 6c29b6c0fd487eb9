import { sql, type Kysely } from 'kysely'

/** Each statement locks its table alone and for an instant. */
export const isOutsideTransaction = true

/** A client's files are sent with a return. The file of an import is kept as long as the import's rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table stored_files add column if not exists return_id uuid references lead_returns (id)`.execute(db)
  await sql`
    create index if not exists stored_files_return on stored_files (return_id) where return_id is not null`.execute(
    db,
  )
  await sql`
    alter table lead_imports add column if not exists file_id uuid references stored_files (id) on delete set null`.execute(
    db,
  )
  await sql`
    create index if not exists lead_imports_file on lead_imports (file_id) where file_id is not null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lead_imports drop column file_id`.execute(db)
  await sql`alter table stored_files drop column return_id`.execute(db)
}

import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Names of the migrations that this database has; none if it was never migrated. */
export async function listAppliedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql`select to_regclass('public.kysely_migration') as found`.execute(db)
  if ((tables[0] as { found: unknown }).found === null) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

import type { Migration } from 'kysely/migration'
import { listMigrationFiles } from '#core/migrations.ts'

/** The exports of a file of migrations/. */
export interface MigrationModule extends Migration {
  /** it cannot run in a transaction, because it builds an index concurrently */
  isOutsideTransaction?: boolean
  /** the first release whose processes no longer use the column or table that it takes away */
  unusedSince?: string
}

/** Every migration of this version by its name, oldest first. */
export async function readMigrations(): Promise<Record<string, MigrationModule>> {
  const migrations = listMigrationFiles().map(async ({ name, url }): Promise<[string, MigrationModule]> => {
    return [name, (await import(url.href)) as MigrationModule]
  })
  return Object.fromEntries(await Promise.all(migrations))
}

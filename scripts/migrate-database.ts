import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration, MigrationProvider } from 'kysely/migration'
import pg from 'pg'
import type { Database } from '#core/data/schema/tables.ts'
import { findMissingMigrations, listMigrationFiles } from '#core/migrations.ts'

const provider: MigrationProvider = {
  async getMigrations() {
    const migrations = listMigrationFiles().map(async ({ name, url }): Promise<[string, Migration]> => {
      return [name, (await import(url.href)) as Migration]
    })
    return Object.fromEntries(await Promise.all(migrations))
  },
}

/**
 * Applies what is missing and answers the names of what it applied. Safe to run from many machines at once: the
 * migrator holds an advisory lock, and either all of it is applied or nothing. A database that a newer version has migrated
 * lacks nothing, so that a release can be taken back.
 */
export async function migrateDatabase(databaseUrl: string): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  // A connection that breaks, idle or at work, makes the next query fail, and that one says what is wrong.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    // The migrator refuses every database that has one it does not know.
    if ((await findMissingMigrations(db)).length === 0) return []
    const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest()
    const failed = results.find(({ status }) => status === 'Error')
    if (error !== undefined)
      throw new Error(`Migration ${failed?.migrationName ?? ''} failed`, { cause: error })
    return results.map(({ migrationName }) => migrationName)
  } finally {
    await db.destroy()
  }
}

import { randomBytes } from 'node:crypto'
import { Kysely } from 'kysely'
import pg from 'pg'
import { listMigrationFiles } from '#core/migrations.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { MigrationDialect } from '#scripts/migrations/migration-dialect.ts'
import { applyMigrations } from '#scripts/migrate-database.ts'
import { administer, databaseNamed, dropDatabase } from '#scripts/services/test-services.ts'
import { serviceVariable } from './services.ts'

export interface EarlierDatabase {
  url: string
  db: Kysely<Database>
  upgrade: () => Promise<void>
  drop: () => Promise<void>
}

/**
 * Creates a database as it was before a migration, named by its timestamp; `upgrade` applies that one and all
 * later ones.
 */
export async function createEarlierDatabase(migration: string): Promise<EarlierDatabase> {
  const server = serviceVariable('TEST_DATABASE_URL')
  const name = `leadwire_test_${randomBytes(6).toString('hex')}`
  await administer(server, `create database ${name}`)
  const types = new pg.TypeOverrides()
  types.setTypeParser(114, (text) => text)
  const url = databaseNamed(server, name)
  const pool = new pg.Pool({ connectionString: url, max: 4, types })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Database>({ dialect: new MigrationDialect({ pool }) })
  const before = listMigrationFiles().findLast((one) => one.name < migration)
  await applyMigrations(db, before?.name)
  return {
    url,
    db,
    upgrade: async () => {
      await applyMigrations(db)
    },
    drop: async () => {
      await db.destroy()
      await dropDatabase(server, name)
    },
  }
}

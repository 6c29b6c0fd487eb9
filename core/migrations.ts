import { readdirSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from './config/config.ts'
import { listAppliedMigrations } from './data/applied-migrations.ts'
import type { Db } from './data/database.ts'

const FOLDER = new URL('../migrations/', import.meta.url)

/** A migration of this version: its name, which begins with the time it was written, and its file. */
export interface MigrationFile {
  name: string
  url: URL
}

/** Every migration of this version, oldest first. */
export function listMigrationFiles(): MigrationFile[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
    .map((file) => ({ name: path.basename(file, '.ts'), url: new URL(file, FOLDER) }))
}

let known: readonly string[] | undefined

/** Names of the migrations of this version that the database does not have. */
export async function findMissingMigrations(db: Db): Promise<string[]> {
  known ??= listMigrationFiles().map(({ name }) => name)
  const applied = new Set(await listAppliedMigrations(db))
  return known.filter((name) => !applied.has(name))
}

/**
 * Checks the database before a process of this version uses it. A database that a newer version has migrated is
 * accepted, because migrations keep what older versions need (docs/operations/README.md).
 * @throws ConfigError if it lacks a migration
 */
export async function requireMigrations(db: Db): Promise<void> {
  const missing = await findMissingMigrations(db)
  if (missing.length === 0) return
  throw new ConfigError([
    `DATABASE_URL: the database lacks ${missing.length} migration(s); run \`npm run migrate\``,
  ])
}

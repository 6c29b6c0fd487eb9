import { readdirSync } from 'node:fs'
import { listAppliedMigrations } from '#core/data/applied-migrations.ts'
import type { Db } from '#core/data/database.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

let known: readonly string[] | undefined

/** Migrations that this version comes with and the database does not have. */
export async function findMissingMigrations(db: Db): Promise<string[]> {
  known ??= readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
  const applied = new Set(await listAppliedMigrations(db))
  return known.filter((name) => !applied.has(name))
}

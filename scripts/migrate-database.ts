import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration, MigrationResultSet } from 'kysely/migration'
import pg from 'pg'
import type { Database } from '#core/data/schema/tables.ts'
import { openWithSettings } from '#core/data/session-settings.ts'
import { listMigrationFiles } from '#core/migrations.ts'

/** What a file of migrations/ exports. One that no transaction may hold (an index that is built concurrently) says so. */
interface MigrationModule extends Migration {
  isOutsideTransaction?: boolean
}

const ASK_AGAIN_MS = 200

/** Applies what is missing ({@link applyMigrations}) and answers the names of what it applied. */
export async function migrateDatabase(databaseUrl: string): Promise<string[]> {
  const pool = new pg.Pool({ ...openWithSettings(databaseUrl), max: 2 })
  // A connection that breaks, idle or at work, makes the next query fail, and that one says what is wrong.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await applyMigrations(db)
  } finally {
    await db.destroy()
  }
}

/**
 * Safe to run from many machines at once. What lies between two migrations outside of transactions is applied whole or not at
 * all; those may be begun again. A database that a newer version has migrated lacks nothing, so that a release can be taken back.
 * @param last the name of the last to apply, which must be missing; by default all are
 */
export async function applyMigrations<Tables>(db: Kysely<Tables>, last?: string): Promise<string[]> {
  const migrations = await readMigrations()
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  return await inTurn(db, async () => {
    const known = await migrator.getMigrations()
    const missing = known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
    const wanted = last === undefined ? missing : missing.slice(0, missing.indexOf(last) + 1)
    const applied: string[] = []
    for (const [index, name] of wanted.entries()) {
      const next = wanted[index + 1]
      const isAlone = migrations[name]?.isOutsideTransaction === true
      if (!isAlone && next !== undefined && migrations[next]?.isOutsideTransaction !== true) continue
      applied.push(...namesOf(await migrator.migrateTo(name, { disableTransactions: isAlone })))
    }
    return applied
  })
}

async function readMigrations(): Promise<Record<string, MigrationModule>> {
  const migrations = listMigrationFiles().map(async ({ name, url }): Promise<[string, MigrationModule]> => {
    return [name, (await import(url.href)) as MigrationModule]
  })
  return Object.fromEntries(await Promise.all(migrations))
}

/** @throws when one of them failed */
function namesOf({ error, results = [] }: MigrationResultSet): string[] {
  const failed = results.find(({ status }) => status === 'Error')
  if (error !== undefined)
    throw new Error(`Migration ${failed?.migrationName ?? ''} failed`, { cause: error })
  return results.map(({ migrationName }) => migrationName)
}

/**
 * One machine after the other. The migrator's own lock is waited for inside a statement, and for the end of every earlier statement
 * waits in turn who builds an index concurrently: two machines would end in a deadlock.
 */
async function inTurn<Tables, T>(db: Kysely<Tables>, work: () => Promise<T>): Promise<T> {
  return await db.connection().execute(async (held) => {
    const key = sql`hashtext('leadwire migrations')`
    for (;;) {
      const { rows } = await sql<{
        is_mine: boolean
      }>`select pg_try_advisory_lock(${key}) as is_mine`.execute(held)
      if (rows[0]?.is_mine === true) break
      await sleep(ASK_AGAIN_MS)
    }
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(held)
    }
  })
}

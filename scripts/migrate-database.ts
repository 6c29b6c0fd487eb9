import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { MigrationResultSet } from 'kysely/migration'
import { ConfigError } from '#core/config/config.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { openPool } from '#core/data/connection/open-pool.ts'
import { requireSessionSettings } from '#core/require-session-settings.ts'
import { MigrationDialect } from './migrations/migration-dialect.ts'
import { readMigrations, type MigrationModule } from './migrations/list-migrations.ts'
import { withoutQueueing } from './migrations/without-queueing.ts'

const ASK_AGAIN_MS = 200
/** Longer than a release's migrations take on a database of ten million deliveries. */
const PATIENCE_MS = 15 * 60_000
const KEY = sql`hashtext('leadwire migrations')`

/**
 * Applies missing migrations ({@link applyMigrations}) and returns their names.
 * @param patienceMs how long to wait for another migration; only tests wait less
 */
export async function migrateDatabase(databaseUrl: string, patienceMs = PATIENCE_MS): Promise<string[]> {
  return await withMigrationDatabase(databaseUrl, (db) => applyMigrations(db, undefined, patienceMs))
}

/**
 * Opens PostgreSQL for migrations, directly: a transaction pooler would not keep its settings.
 */
export async function withMigrationDatabase<T>(
  databaseUrl: string,
  work: (db: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const { pool, connect } = openPool(databaseUrl, 'migration', { max: 2 })
  // A connection that breaks makes the next query fail, and that error explains it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const connections = {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => (await connect()).client,
  }
  const db = new Kysely<Database>({ dialect: new MigrationDialect({ pool: connections }) })
  try {
    await requireSessionSettings(db, { variable: 'DATABASE_URL', kind: 'migration' })
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/**
 * Safe to run from many machines at once. Each migration has a transaction of its own, unless it runs outside of one
 * and so may be begun again; an empty database gets them together. A database migrated by a newer version lacks
 * nothing, so that a release can be rolled back.
 * @param last the name of the last one to apply, which must be missing; by default all are applied
 */
export async function applyMigrations<Tables>(
  db: Kysely<Tables>,
  last?: string,
  patienceMs = PATIENCE_MS,
): Promise<string[]> {
  const migrations = await readMigrations()
  const openMigrator = (on: Kysely<Tables>) => migratorOf(on, migrations)
  return await inTurn(db, patienceMs, async () => {
    const known = await openMigrator(db).getMigrations()
    const missing = known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
    const wanted = last === undefined ? missing : missing.slice(0, missing.indexOf(last) + 1)
    const isOutside = (name: string | undefined) => migrations[name ?? '']?.isOutsideTransaction === true
    const isEmpty = missing.length === known.length
    const applied: string[] = []
    for (const [index, name] of wanted.entries()) {
      const next = wanted[index + 1]
      if (isEmpty && !isOutside(name) && next !== undefined && !isOutside(next)) continue
      const results = isOutside(name)
        ? await openMigrator(db).migrateTo(name, { disableTransactions: true })
        : await withoutQueueing(db, patienceMs, (on) => openMigrator(on).migrateTo(name))
      applied.push(...namesOf(results))
    }
    return applied
  })
}

/** The name of the newest migration that the database has. */
export async function findNewestMigration<Tables>(db: Kysely<Tables>): Promise<string | undefined> {
  const known = await migratorOf(db, await readMigrations()).getMigrations()
  return known.findLast(({ executedAt }) => executedAt !== undefined)?.name
}

/** Undoes the newest migration and returns its name. */
export async function undoNewestMigration<Tables>(
  db: Kysely<Tables>,
  patienceMs = PATIENCE_MS,
): Promise<string | undefined> {
  const migrations = await readMigrations()
  return await inTurn(db, patienceMs, async () => {
    const newest = await findNewestMigration(db)
    const undo = (on: Kysely<Tables>, disableTransactions: boolean) =>
      migratorOf(on, migrations).migrateDown({ disableTransactions })
    const isOutside = migrations[newest ?? '']?.isOutsideTransaction === true
    const results = isOutside
      ? await undo(db, true)
      : await withoutQueueing(db, patienceMs, (on) => undo(on, false))
    return namesOf(results).at(0)
  })
}

function migratorOf<Tables>(db: Kysely<Tables>, migrations: Record<string, MigrationModule>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } })
}

/** @throws if one of them failed */
function namesOf({ error, results = [] }: MigrationResultSet): string[] {
  const failed = results.find(({ status }) => status === 'Error')
  if (error !== undefined)
    throw new Error(`Migration ${failed?.migrationName ?? ''} failed`, { cause: error })
  return results.map(({ migrationName }) => migrationName)
}

/**
 * One machine after the other. The lock belongs to an open transaction, so that it ends with it even through
 * a pooler, which gives a session of ours no connection of its own. That transaction polls between statements
 * and never waits inside one: a migration that builds an index concurrently waits for the end of every
 * earlier statement, and two machines would deadlock.
 * @throws ConfigError if another has held it for `patienceMs`, with the holder's process number
 */
async function inTurn<Tables, T>(db: Kysely<Tables>, patienceMs: number, work: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const done = await db.transaction().execute(async (trx) => {
      if (!(await takeLock(trx))) return undefined
      return { result: await work() }
    })
    if (done !== undefined) return done.result
    if (Date.now() >= giveUpAt) throw await explainHolder(db, patienceMs)
    await sleep(ASK_AGAIN_MS)
  }
}

async function takeLock<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{
    is_mine: boolean
  }>`select pg_try_advisory_xact_lock(${KEY}) as is_mine`.execute(db)
  return rows[0]?.is_mine === true
}

async function explainHolder<Tables>(db: Kysely<Tables>, patienceMs: number): Promise<ConfigError> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_locks
    where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
      and ((classid::bigint << 32) | objid::bigint) = ${KEY}::bigint`.execute(db)
  const holder = rows[0]?.pid
  const held = `DATABASE_URL: another migration has held the lock for ${Math.round(patienceMs / 1000)} s`
  if (holder === undefined) return new ConfigError([`${held}; run \`npm run migrate\` again`])
  return new ConfigError([
    `${held}, in PostgreSQL's process ${holder}. Where none is running, an earlier one has left it behind: end it by \`select pg_terminate_backend(${holder})\` and run \`npm run migrate\` again`,
  ])
}

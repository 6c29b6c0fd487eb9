import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration, MigrationResultSet } from 'kysely/migration'
import pg from 'pg'
import { ConfigError } from '#core/config/config.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { openWithSettings } from '#core/data/session-settings.ts'
import { listMigrationFiles } from '#core/migrations.ts'
import { requireSessionSettings } from '#core/require-session-settings.ts'

/**
 * The exports of a file of migrations/. A migration that cannot run in a transaction (an index built
 * concurrently) says so.
 */
interface MigrationModule extends Migration {
  isOutsideTransaction?: boolean
}

const ASK_AGAIN_MS = 200
/** Longer than a release's migrations take on a database of ten million deliveries. */
const PATIENCE_MS = 15 * 60_000
const KEY = sql`hashtext('leadwire migrations')`

/**
 * Applies missing migrations ({@link applyMigrations}) and returns their names. It connects to PostgreSQL
 * directly: behind a transaction pooler its time limits would be those of the role.
 * @param patienceMs how long to wait for another migration; only tests wait less
 */
export async function migrateDatabase(databaseUrl: string, patienceMs = PATIENCE_MS): Promise<string[]> {
  const pool = new pg.Pool({
    ...openWithSettings(databaseUrl, 'migration'),
    max: 2,
  })
  // A connection that breaks makes the next query fail, and that error explains it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    await requireSessionSettings(db, { variable: 'DATABASE_URL', kind: 'migration' })
    return await applyMigrations(db, undefined, patienceMs)
  } finally {
    await db.destroy()
  }
}

/**
 * Safe to run from many machines at once. Consecutive migrations in transactions are applied together or not
 * at all; those outside of transactions may be begun again. A database migrated by a newer version lacks
 * nothing, so that a release can be rolled back.
 * @param last the name of the last one to apply, which must be missing; by default all are applied
 */
export async function applyMigrations<Tables>(
  db: Kysely<Tables>,
  last?: string,
  patienceMs = PATIENCE_MS,
): Promise<string[]> {
  const migrations = await readMigrations()
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  return await inTurn(db, patienceMs, async () => {
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

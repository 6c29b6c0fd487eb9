import path from 'node:path'
import { readFile } from 'node:fs/promises'
import { sql, type Kysely } from 'kysely'
import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import { keepRevenueDay, listDaysToCount } from '#core/data/market/money/revenue-days.ts'
import { countContents, emptyKeptSums, listForeignTables } from '#core/data/operations/count-contents.ts'
import { keepHour, listHoursToCount } from '#core/data/operations/overview/kept-hours.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { ensureLogPartitions } from '#core/data/webhooks/logs/log-partitions.ts'
import { listMigrationFiles } from '#core/migrations.ts'
import { migrateDatabase } from '../../migrate-database.ts'
import { CommandError } from '../failures.ts'
import { verifyDatabase, type Finding } from '../verify-database.ts'
import { hashFile, type StoredBytes } from './copy-files.ts'
import { PARTS, type Manifest } from './manifest.ts'
import { addressFor, findPostgresPrograms, mustRunProgram } from './postgres-programs.ts'
import { readServerVersion } from './read-server-version.ts'

/** A count or sum that is not what the manifest says. */
export interface Difference {
  name: string
  wanted: string
  found: string
}

export interface Restored {
  migrated: string[]
  differences: Difference[]
  findings: Finding[]
  /** sums of the overview's hours and of revenue's days that were made anew */
  sums: { hours: number; days: number }
}

export interface RestoreOrder {
  folder: string
  manifest: Manifest
  /** address of PostgreSQL itself, not of a pooler */
  url: string
  jobs: number
  bin: string | undefined
  note: (line: string) => void
}

/**
 * Checks every file of the archive.
 * @throws CommandError if one is missing or changed, or the backup is of a newer version
 */
export async function requireWholeArchive(
  folder: string,
  { archive, migrations, version }: Manifest,
): Promise<void> {
  const known = new Set(listMigrationFiles().map(({ name }) => name))
  if (migrations.some((name) => !known.has(name)))
    throw new CommandError(`The backup was taken by a newer version (${version}); restore it with that one`)
  for (const [name, { sha256 }] of Object.entries(archive)) {
    const found = await hashFile(path.join(folder, name)).catch(() => undefined)
    if (found === undefined) throw new CommandError(`${name} is missing in the backup`)
    if (found !== sha256) throw new CommandError(`${name} was changed after the backup`)
  }
}

/** The stored files that the backup's database names. */
export async function readFileList(folder: string): Promise<StoredBytes[]> {
  const lines = (await readFile(path.join(folder, PARTS.list), 'utf8')).split('\n')
  return lines.flatMap((line) => {
    const [sha256, size] = line.split(' ')
    return sha256 === undefined || size === undefined ? [] : [{ sha256, size: Number(size) }]
  })
}

/**
 * Restores the database, migrates it, compares it with the manifest, makes sums anew and verifies everything.
 * @param db of the same database; it may be empty only
 * @throws CommandError if the database is not empty, or pg_restore fails
 */
export async function restoreDatabase(
  db: Kysely<Database>,
  { folder, manifest, url, jobs, bin, note }: RestoreOrder,
): Promise<Restored> {
  const { number, major } = await readServerVersion(db)
  const there = await listForeignTables(db)
  if (there.length > 0)
    throw new CommandError(
      `The database is not empty (${there.join(', ')}, …); make an empty one and set DATABASE_URL to it`,
    )
  if (major < Math.floor(manifest.postgres / 10_000))
    note(`this server (${number}) is older than the one that was backed up (${manifest.postgres})`)
  const programs = await findPostgresPrograms(major, bin)
  note(`restoring the database with ${jobs} jobs by pg_restore ${programs.major}`)
  const { address, env } = addressFor(url)
  const manner = ['--no-owner', '--no-privileges', '--exit-on-error', `--jobs=${jobs}`]
  await mustRunProgram(
    path.join(programs.folder, 'pg_restore'),
    [...manner, `--dbname=${address}`, path.join(folder, PARTS.database)],
    env,
  )
  const migrated = await migrateDatabase(url)
  note('comparing it with the manifest')
  const found = await unhurried(db, countContents)
  const differences = compare(manifest.contents, found)
  note('analysing tables, and making sums anew')
  await unhurried(db, (trx) => sql`analyze`.execute(trx))
  await ensureLogPartitions(db, 2)
  const sums = await renewSums(db)
  note('verifying')
  // Work that was due at the backup is overdue by its age.
  const waited = 600 + Math.ceil((Date.now() - Date.parse(manifest.taken_at)) / 1000)
  return { migrated, differences, findings: await verifyDatabase(db, { waited, limit: 3600 }), sums }
}

async function renewSums(db: Kysely<Database>): Promise<Restored['sums']> {
  await emptyKeptSums(db)
  const hours = await listHoursToCount(db)
  for (const hour of hours) await keepHour(db, hour)
  const days = await listDaysToCount(db, ADMINISTRATION_ZONE)
  for (const day of days) await keepRevenueDay(db, day)
  return { hours: hours.length, days: days.length }
}

async function unhurried<T>(db: Kysely<Database>, work: (trx: Kysely<Database>) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    await sql`select set_config('statement_timeout', '0', true)`.execute(trx)
    return await work(trx)
  })
}

function compare(wanted: Manifest['contents'], found: Manifest['contents']): Difference[] {
  const names = new Set([...Object.keys(wanted), ...Object.keys(found)])
  return [...names].flatMap((name) => {
    const [one, two] = [wanted[name] ?? '0', found[name] ?? '0']
    return one === two ? [] : [{ name, wanted: one, found: two }]
  })
}

import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { sql, type Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import { listAppliedMigrations } from '#core/data/applied-migrations.ts'
import { countContents, listFileContents, readTableBytes } from '#core/data/operations/count-contents.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { readFreeBytes } from '#core/file-store/disk-space.ts'
import { syncFolder, writeFileAtomically } from '#core/write-file-atomically.ts'
import { CommandError } from '../failures.ts'
import { copyFiles, describeFolder, hashFile, type StoredBytes } from './copy-files.ts'
import { PARTS, readBackupKeys, signManifest, type Contents, type Manifest } from './manifest.ts'
import { addressFor, findPostgresPrograms, mustRunProgram } from './postgres-programs.ts'
import { readServerVersion } from './read-server-version.ts'

export interface BackupOrder {
  folder: string
  /** address of PostgreSQL itself, not of a pooler */
  url: string
  jobs: number
  bin: string | undefined
  note: (line: string) => void
}

/**
 * Takes a backup beside running processes, into a folder that is not there yet. It has its name only once everything in it
 * is synced.
 * @throws CommandError if the folder is there, has too little room, or no program fits
 */
export async function takeBackup(
  { db, config }: { db: Kysely<Database>; config: Config },
  { folder, url, jobs, bin, note }: BackupOrder,
): Promise<Manifest> {
  const target = path.resolve(folder)
  if (existsSync(target)) throw new CommandError(`${target} is there already; name a new folder`)
  const keys = readBackupKeys(config)
  const { number, major } = await readServerVersion(db)
  const programs = await findPostgresPrograms(major, bin)
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
  await requireRoom(path.dirname(target), await readTableBytes(db))
  const unfinished = `${target}.unfinished`
  await mkdir(unfinished, { mode: 0o700 }).catch(() => {
    throw new CommandError(
      `${unfinished} is there: another backup runs, or was cut short; remove the folder if none runs`,
    )
  })
  try {
    const taken_at = new Date().toISOString()
    const dump = async (snapshot: string): Promise<void> => {
      const { address, env } = addressFor(url)
      const place = `--file=${path.join(unfinished, PARTS.database)}`
      const manner = ['--format=directory', `--jobs=${jobs}`, '--compress=1', `--snapshot=${snapshot}`]
      await mustRunProgram(
        path.join(programs.folder, 'pg_dump'),
        [...manner, place, '--no-owner', '--no-privileges', `--dbname=${address}`],
        env,
      )
    }
    note(`dumping with ${jobs} jobs by pg_dump ${programs.major}`)
    const seen = await inSnapshot(db, dump)
    note(`copying ${config.files.s3 === undefined ? seen.files.length : 0} stored files`)
    const files = await keepFiles(config, target, unfinished, seen.files)
    const list = path.join(unfinished, PARTS.list)
    const text = seen.files.map(({ sha256, size }) => `${sha256} ${size}\n`).join('')
    await writeFileAtomically(list, text)
    const archive = {
      ...(await describeFolder(path.join(unfinished, PARTS.database), PARTS.database)),
      [PARTS.list]: { bytes: Buffer.byteLength(text), sha256: await hashFile(list) },
    }
    const { migrations, contents } = seen
    const content: Contents = {
      format: 1,
      version: config.build.version,
      taken_at,
      postgres: number,
      migrations,
      contents,
      files,
      archive,
    }
    const manifest = signManifest(content, keys)
    await writeFileAtomically(path.join(unfinished, PARTS.manifest), `${JSON.stringify(manifest, null, 2)}\n`)
    await syncFolder(unfinished)
    await rename(unfinished, target)
    await syncFolder(path.dirname(target))
    return manifest
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

/** Counts in one snapshot, while `dump` reads the same one. */
async function inSnapshot(db: Kysely<Database>, dump: (snapshot: string) => Promise<void>) {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`.execute(
        trx,
      )
      const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(trx)
      const dumping = dump(rows[0]?.snapshot ?? '')
      const counting = async () => ({
        migrations: (await listAppliedMigrations(trx)).toSorted(),
        contents: await countContents(trx),
        files: await listFileContents(trx),
      })
      // The snapshot must stay until both have ended.
      const [dumped, counted] = await Promise.allSettled([dumping, counting()])
      if (dumped.status === 'rejected') throw dumped.reason
      if (counted.status === 'rejected') throw counted.reason
      return counted.value
    })
}

async function keepFiles(
  { files: { folder, s3 } }: Config,
  target: string,
  unfinished: string,
  files: readonly StoredBytes[],
): Promise<Contents['files']> {
  if (s3 !== undefined) return { kept: 's3', endpoint: s3.endpoint, bucket: s3.bucket, count: files.length }
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const earlier = await findEarlier(target)
  await requireRoom(path.dirname(target), earlier === undefined ? bytes : 0)
  const to = path.join(unfinished, PARTS.files)
  // A file that was erased since the snapshot is missing, as it should be.
  const missing = await copyFiles({ from: folder, to, earlier }, files)
  return { kept: 'here', count: files.length, bytes, missing: missing.length }
}

/** The stored files of the newest finished backup in the same folder. */
async function findEarlier(target: string): Promise<string | undefined> {
  const parent = path.dirname(target)
  const names = (await readdir(parent)).filter((name) => existsSync(path.join(parent, name, PARTS.manifest)))
  const newest = names.toSorted().at(-1)
  return newest === undefined ? undefined : path.join(parent, newest, PARTS.files)
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const free = await readFreeBytes(folder)
  if (free > bytes) return
  const mib = (amount: number): string => `${Math.ceil(amount / 1024 / 1024)} MiB`
  throw new CommandError(`${folder} has ${mib(free)} free, and the backup may need ${mib(bytes)}`)
}

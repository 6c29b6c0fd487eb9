import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { sql } from 'kysely'
import type { Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import { SLOW_SILENCE_MS, WITHOUT_REDIS, type Services } from '../open-services.ts'
import { findDamagedFiles } from './copy-files.ts'
import { PARTS, readBackupKeys, readManifest } from './manifest.ts'
import { findPostgresPrograms, mustRunProgram, withDatabase } from './postgres-programs.ts'
import { readServerVersion } from './read-server-version.ts'
import {
  readFileList,
  requireWholeArchive,
  restoreDatabase,
  type Restored,
  type RestoreOrder,
} from './restore-backup.ts'

/** PostgreSQL refuses what a role may not do. */
const NOT_ALLOWED = '42501'

export interface Checked {
  /** undefined if no database could be made for it */
  restored: Restored | undefined
  /** entries of the archive's list */
  listed: number
  /** stored files whose bytes are missing or changed */
  damaged: string[]
}

/** Restores a backup into a new database on the same server, verifies it and drops it. */
export async function checkBackup(
  { config, services }: { config: Config; services: Services },
  order: Omit<RestoreOrder, 'manifest'>,
): Promise<Checked> {
  const { folder, url, bin } = order
  const manifest = await readManifest(folder, readBackupKeys(config))
  order.note('checking the sums of the archive')
  await requireWholeArchive(folder, manifest)
  const { kept } = manifest.files
  const damaged = kept === 's3' ? [] : await listDamaged(folder, manifest.files.missing)
  const server = services.anyDatabase({ needs: WITHOUT_REDIS, slow: true })
  const programs = await findPostgresPrograms((await readServerVersion(server)).major, bin)
  const list = await mustRunProgram(path.join(programs.folder, 'pg_restore'), [
    '--list',
    path.join(folder, PARTS.database),
  ])
  const listed = list.split('\n').filter((line) => /^\d+;/.test(line)).length
  const name = `leadwire_check_${randomBytes(6).toString('hex')}`
  try {
    await sql`create database ${sql.id(name)} template template0`.execute(server)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === NOT_ALLOWED)) throw error
    return { restored: undefined, listed, damaged }
  }
  const address = withDatabase(url, name)
  const opened = openDatabase(
    { url: address, poolSize: 2, name: 'leadwire-check', silenceMs: SLOW_SILENCE_MS },
    () => undefined,
  )
  try {
    const restored = await restoreDatabase(opened.db, { ...order, manifest, url: address })
    return { restored, listed, damaged }
  } finally {
    await opened.close()
    await sql`drop database ${sql.id(name)} with (force)`.execute(server)
  }
}

/** @param expected files that were removed while the backup was taken */
async function listDamaged(folder: string, expected: number): Promise<string[]> {
  const damaged = await findDamagedFiles(path.join(folder, PARTS.files), await readFileList(folder))
  return damaged.length === expected ? [] : damaged
}

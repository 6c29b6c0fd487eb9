import { existsSync, readdirSync } from 'node:fs'
import { appendFile, cp, mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startGuarded, type GuardedProcess } from '../../services/guarded-process.ts'
import { postgresAccount, type Account } from '../../services/postgres-binaries.ts'
import { mustRun } from '../../services/run-command.ts'

/** The way in which the write-ahead log leaves the machine. */
export type Way = 'archive' | 'stream'

/** Seconds after which PostgreSQL archives a piece that is not full: docs/operations/backup.md. */
export const ARCHIVE_TIMEOUT_SECONDS = 60
const PLACE = '/usr/lib/postgresql'

/** The folder of a PostgreSQL with pg_basebackup, which our own lacks; undefined if there is none. */
export function findFullPostgres(): string | undefined {
  return (existsSync(PLACE) ? readdirSync(PLACE) : [])
    .map((version) => path.join(PLACE, version, 'bin'))
    .find((bin) =>
      ['postgres', 'pg_basebackup', 'pg_receivewal'].every((name) => existsSync(path.join(bin, name))),
    )
}

/** The folders of base backup and write-ahead log, which survive. */
export interface Archive {
  settings: string[]
  /** takes a base backup beside running processes; streams from then on, if that is the way */
  takeBase: (url: string) => Promise<void>
  /** ends the stream, as if its source were gone */
  endStream: () => Promise<void>
  /** puts the base backup in the place of the data folder, ready to recover everything that was archived */
  putBack: (data: string) => Promise<void>
}

/** @param parent a folder that PostgreSQL's account can reach */
export async function openArchive(parent: string, bin: string, way: Way): Promise<Archive> {
  const [wal, base] = [path.join(parent, 'archive'), path.join(parent, 'base')]
  await mkdir(wal, { recursive: true, mode: 0o700 })
  const account = await postgresAccount(path.join(parent, 'none'))
  await give(wal, account)
  let stream: GuardedProcess | undefined
  const settings =
    way === 'stream'
      ? []
      : [
          'archive_mode=on',
          `archive_timeout=${ARCHIVE_TIMEOUT_SECONDS}`,
          `archive_command=test ! -f ${wal}/%f && cp %p ${wal}/%f.part && sync ${wal}/%f.part && mv ${wal}/%f.part ${wal}/%f && sync ${wal}`,
        ]
  return {
    settings,
    takeBase: async (url) => {
      if (way === 'stream') stream = await receive(bin, url, wal, parent)
      await mustRun(path.join(bin, 'pg_basebackup'), [
        `--dbname=${url}`,
        `--pgdata=${base}`,
        '--checkpoint=fast',
        '--wal-method=stream',
      ])
    },
    endStream: async () => {
      await stream?.stop()
      for (const name of await readdir(wal))
        if (name.endsWith('.partial'))
          await rename(path.join(wal, name), path.join(wal, path.basename(name, '.partial')))
    },
    putBack: async (data) => {
      const place = await realpath(data)
      for (const name of await readdir(place)) await rm(path.join(place, name), { recursive: true })
      await cp(base, place, { recursive: true })
      const settings = [`restore_command = 'cp ${wal}/%f %p'`, `recovery_target_action = 'promote'`, '']
      await appendFile(path.join(place, 'postgresql.auto.conf'), settings.join('\n'))
      await writeFile(path.join(place, 'recovery.signal'), '')
      await give(place, account)
      await give(wal, account)
    },
  }
}

async function receive(bin: string, url: string, wal: string, parent: string): Promise<GuardedProcess> {
  const program = path.join(bin, 'pg_receivewal')
  const slot = [`--dbname=${url}`, '--slot=archive']
  await mustRun(program, [...slot, '--create-slot', '--if-not-exists'])
  return startGuarded({
    command: program,
    args: [...slot, '--synchronous', `--directory=${wal}`, '--no-loop'],
    cwd: parent,
    logFile: path.join(parent, 'receivewal.log'),
    stopSignal: 'SIGINT',
  })
}

async function give(folder: string, account: Account | undefined): Promise<void> {
  if (account === undefined) return
  await mustRun('chown', ['-R', `${account.uid}:${account.gid}`, folder])
}

import { chown, copyFile, mkdir, readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { postgresAccount } from '#scripts/services/postgres-binaries.ts'
import { startPostgres } from '#scripts/services/postgres.ts'
import { mustRun } from '#scripts/services/run-command.ts'
import { isAlive } from '#scripts/services/stop-orphan.ts'
import { waitUntil } from '../condition.ts'

/** Debian's; the PostgreSQL of our own has no pg_basebackup. */
const BIN = '/usr/lib/postgresql/15/bin'

/** Returns true if a PostgreSQL that can copy itself is installed. */
export function hasStandby(): boolean {
  return existsSync(path.join(BIN, 'pg_basebackup'))
}

export interface FollowedPostgres {
  url: string
  /** ends its processes at once, as a lost machine does */
  crash: () => Promise<void>
  ask: (statement: string) => Promise<Record<string, unknown>[]>
  stop: () => Promise<void>
}

/** Starts a primary and a standby that follows it; a commit of the primary is on the standby's disk first. */
export async function startPair(
  folder: string,
): Promise<{ primary: FollowedPostgres; standby: FollowedPostgres }> {
  const first = path.join(folder, 'primary')
  const second = path.join(folder, 'standby')
  const primary = await start(first)
  await mkdir(second, { recursive: true })
  await copyFile(path.join(first, 'postgres.password'), path.join(second, 'postgres.password'))
  const account = await postgresAccount(path.join(first, 'postgres'))
  const target = path.join(second, 'postgres')
  await mkdir(target, { mode: 0o700 })
  if (account !== undefined) await chown(target, account.uid, account.gid)
  const { port, password, username } = new URL(primary.url)
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`
  await mustRun(
    path.join(BIN, 'pg_basebackup'),
    ['-d', source, '-D', target, '-R', '-X', 'stream', '-c', 'fast'],
    {
      cwd: '/',
      owner: account,
    },
  )
  const standby = await start(second)
  await primary.ask(`alter system set synchronous_standby_names = 'standby'`)
  await primary.ask('select pg_reload_conf()')
  const isFollowed = async () =>
    (await primary.ask(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length > 0
  await waitUntil(isFollowed, { what: 'The standby to follow' })
  return { primary, standby }
}

async function start(folder: string): Promise<FollowedPostgres> {
  const settings = ['wal_level=replica', 'wal_receiver_status_interval=1', 'max_standby_streaming_delay=1s']
  const service = await startPostgres({ folder, bin: BIN, settings })
  const pidFile = path.join(folder, 'postgres', 'postmaster.pid')
  const ask = async (statement: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: service.url })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows
    } catch (error) {
      if (!isBrokenOff(error)) throw error
    } finally {
      await client.end()
    }
    return await ask(statement)
  }
  return {
    url: service.url,
    ask,
    crash: async () => {
      const pid = Number((await readFile(pidFile, 'utf8')).split('\n')[0])
      process.kill(pid, 'SIGQUIT')
      await waitUntil(() => !isAlive(pid), { what: 'The end of PostgreSQL' })
    },
    stop: service.stop,
  }
}

/** A standby breaks off a read that stands in the way of what it follows. */
function isBrokenOff(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40001'
}

import { chmod, mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres, type PostgresOptions, type Service } from '../services/postgres.ts'
import { startRedis } from '../services/redis.ts'
import { runCommand } from '../services/run-command.ts'
import { isAlive } from '../services/stop-orphan.ts'

/** A service that can crash or freeze, and comes back with its data. */
export interface BreakableService {
  url: string
  port: number
  /** ends its process at once, like a crash */
  crash: () => Promise<void>
  /** brings it back on the same port with the same data */
  start: () => Promise<void>
  /** SIGSTOP: its connections stay open, and nothing answers */
  freeze: () => Promise<void>
  thaw: () => Promise<void>
  stop: () => Promise<void>
}

/** PostgreSQL with production settings: a commit is on the disk. */
export async function startBreakablePostgres(
  folder: string,
  options: Pick<PostgresOptions, 'bin' | 'settings'> = {},
): Promise<BreakableService> {
  // `pg_ctl stop -m immediate` sends SIGQUIT: no clean shutdown, and recovery at the next start.
  return await breakable(
    (port) => startPostgres({ folder, ...options, ...(port !== undefined && { port }) }),
    path.join(folder, 'postgres', 'postmaster.pid'),
    'SIGQUIT',
  )
}

/** Redis as the queues need it: append-only file, nothing evicted. */
export async function startBreakableRedis(folder: string): Promise<BreakableService> {
  return await breakable(
    (port) => startRedis({ folder, ...(port !== undefined && { port }) }),
    path.join(folder, 'redis', 'redis.pid'),
    'SIGKILL',
  )
}

/** A folder for one service, open to the account that PostgreSQL runs as. */
export async function serviceFolder(parent: string, name: string): Promise<string> {
  const folder = path.join(parent, name)
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711)
  return folder
}

async function breakable(
  start: (port?: number) => Promise<Service>,
  pidFile: string,
  crashSignal: NodeJS.Signals,
): Promise<BreakableService> {
  let service = await start()
  const { url, port } = service
  const pid = async (): Promise<number> => Number((await readFile(pidFile, 'utf8')).split('\n')[0])
  const signalAll = async (signal: NodeJS.Signals): Promise<void> => {
    const main = await pid()
    // PostgreSQL has a process for each connection.
    const { output } = await runCommand('ps', ['-o', 'pid=', '--ppid', String(main)])
    const children = output.split('\n').map(Number).filter(Boolean)
    for (const one of [main, ...children]) if (isAlive(one)) process.kill(one, signal)
  }
  return {
    url,
    port,
    crash: async () => {
      const main = await pid()
      process.kill(main, crashSignal)
      while (isAlive(main)) await sleep(10)
      await service.stop()
    },
    start: async () => {
      service = await start(port)
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    stop: async () => {
      await signalAll('SIGCONT').catch(() => undefined)
      await service.stop()
    },
  }
}

import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort } from '../../services/free-port.ts'
import { startGuarded } from '../../services/guarded-process.ts'
import { postgresAccount } from '../../services/postgres-binaries.ts'
import { runCommand } from '../../services/run-command.ts'
import { waitUntil } from '../../lab/wait-until.ts'

/** Returns true if PgBouncer is installed; up to 1.20 it knows no prepared statements in transaction mode. */
export async function hasPooler(): Promise<boolean> {
  const { code } = await runCommand('pgbouncer', ['--version']).catch(() => ({ code: 1 }))
  return code === 0
}

/** Returns whether the installed PgBouncer keeps prepared statements across the transactions of a session. */
export async function prepares(): Promise<boolean> {
  const { output } = await runCommand('pgbouncer', ['--version'])
  const [, major = 0, minor = 0] = (/PgBouncer (\d+)\.(\d+)/.exec(output) ?? []).map(Number)
  return major > 1 || minor >= 21
}

export interface Pooler {
  /** URL of the same database through the pooler */
  url: string
  /** kill -9, and a start on the same port */
  restart: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts a PgBouncer in transaction mode before a database. */
export async function startPooler(databaseUrl: string, settings: readonly string[] = []): Promise<Pooler> {
  const behind = new URL(databaseUrl)
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-pooler-'))
  const account = await postgresAccount(folder)
  const port = await freePort()
  const config = path.join(folder, 'pgbouncer.ini')
  const users = path.join(folder, 'users.txt')
  await writeFile(users, `"${behind.username}" "${decodeURIComponent(behind.password)}"`)
  const lines = [
    '[databases]',
    `* = host=${behind.hostname} port=${behind.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    // A few sessions, so that each is used by many connections.
    'default_pool_size = 4',
    ...((await prepares()) ? ['max_prepared_statements = 300'] : []),
    ...settings,
  ]
  await writeFile(config, lines.join('\n'))
  for (const one of [folder, config, users]) {
    await chmod(one, 0o700)
    if (account !== undefined) await chown(one, account.uid, account.gid)
  }
  const launch = () =>
    startGuarded({
      command: 'pgbouncer',
      args: ['--quiet', config],
      cwd: folder,
      logFile: path.join(folder, 'pgbouncer.log'),
      stopSignal: 'SIGINT',
      owner: account,
    })
  const url = new URL(databaseUrl)
  url.port = String(port)
  let pooler = launch()
  await waitUntil(() => answers(url.href), { what: 'PgBouncer' })
  return {
    url: url.href,
    restart: async () => {
      await pooler.stop()
      pooler = launch()
      await waitUntil(() => answers(url.href), { what: 'PgBouncer' })
    },
    stop: async () => {
      await pooler.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

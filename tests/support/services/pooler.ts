import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort } from '#scripts/services/free-port.ts'
import { startGuarded } from '#scripts/services/guarded-process.ts'
import { postgresAccount } from '#scripts/services/postgres-binaries.ts'
import { runCommand } from '#scripts/services/run-command.ts'
import { waitUntil } from '../condition.ts'

/** Since this version PgBouncer keeps prepared statements across the transactions of a session. */
const OLDEST = [1, 21] as const

/** Returns true if a usable PgBouncer is installed. */
export async function hasPooler(): Promise<boolean> {
  const { code, output } = await runCommand('pgbouncer', ['--version']).catch(() => ({ code: 1, output: '' }))
  const [, major = 0, minor = 0] = (/PgBouncer (\d+)\.(\d+)/.exec(output) ?? []).map(Number)
  return code === 0 && (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]))
}

export interface Pooler {
  /** URL of the same database through the pooler, for this role */
  urlOf: (role: string, password: string) => string
  stop: () => Promise<void>
}

/** Starts a PgBouncer in transaction mode before a database. @param roles and their passwords */
export async function startPooler(
  databaseUrl: string,
  roles: Readonly<Record<string, string>>,
  settings: readonly string[] = [],
): Promise<Pooler> {
  const behind = new URL(databaseUrl)
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-pooler-'))
  const account = await postgresAccount(folder)
  const port = await freePort()
  const config = path.join(folder, 'pgbouncer.ini')
  const users = path.join(folder, 'users.txt')
  await writeFile(
    users,
    Object.entries(roles)
      .map((pair) => pair.map((text) => `"${text}"`).join(' '))
      .join('\n'),
  )
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
    'max_prepared_statements = 300',
    ...settings,
  ]
  await writeFile(config, lines.join('\n'))
  for (const one of [folder, config, users]) {
    await chmod(one, 0o700)
    if (account !== undefined) await chown(one, account.uid, account.gid)
  }
  const pooler = startGuarded({
    command: 'pgbouncer',
    args: ['--quiet', config],
    cwd: folder,
    logFile: path.join(folder, 'pgbouncer.log'),
    stopSignal: 'SIGTERM',
    owner: account,
  })
  const urlOf = (role: string, password: string): string => {
    const url = new URL(databaseUrl)
    url.port = String(port)
    url.username = role
    url.password = password
    return url.href
  }
  const [[role, password]] = Object.entries(roles) as [[string, string]]
  await waitUntil(() => answers(urlOf(role, password)), { what: 'PgBouncer' })
  return {
    urlOf,
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

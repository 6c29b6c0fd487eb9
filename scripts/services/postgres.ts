import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.ts'
import type { GuardedProcess } from './guarded-process.ts'
import { startGuarded } from './guarded-process.ts'
import type { Account } from './postgres-binaries.ts'
import { postgresAccount, postgresBinaries, reachableFolder } from './postgres-binaries.ts'
import { mustRun, runCommand } from './run-command.ts'
import { stopOrphan } from './stop-orphan.ts'

export interface Service {
  url: string
  port: number
  /** Resolves when it has ended, for any reason, with the manner (guarded-process.ts). */
  ended: Promise<string>
  stop: () => Promise<void>
}

/** It may first replay what was written since a base backup. */
const START_TIMEOUT_MS = 120_000
const USER = 'leadwire'
/** Marks a data folder that initdb has finished; without it nothing was ever stored there. */
const COMPLETE = 'leadwire-initialised'

/** `throwaway` trades crash safety for speed and must hold only data that nobody needs. */
export interface PostgresOptions {
  folder: string
  throwaway?: boolean
  /** Uses this port instead of any free one: for a PostgreSQL that is stopped and comes back. */
  port?: number
  /** beside our own, for example `shared_buffers=1GB` */
  settings?: readonly string[]
  /** the folder of another version's programs; our own by default */
  bin?: string | undefined
}

/**
 * Starts our own PostgreSQL with its data in `folder`/postgres, made on first use, on a free port of the
 * loopback.
 */
export async function startPostgres({
  folder,
  throwaway = false,
  port: wantedPort,
  settings: further = [],
  bin: otherBin,
}: PostgresOptions): Promise<Service> {
  await mkdir(folder, { recursive: true })
  const account = await postgresAccount(path.join(folder, 'postgres'))
  const bin = otherBin ?? (await postgresBinaries(account))
  const data = await dataFolder(path.resolve(folder), account)
  const password = await readPassword(folder)
  await stopOrphan(path.join(data, 'postmaster.pid'), data, 'SIGINT')
  if (!existsSync(path.join(data, COMPLETE))) await initialise(bin, data, password, account, throwaway)
  for (let attempt = 1; ; attempt += 1) {
    const port = wantedPort ?? (await freePort())
    const server = startGuarded({
      command: path.join(bin, 'postgres'),
      args: ['-D', data, '-p', String(port), ...settings(throwaway, further)],
      cwd: data,
      logFile: path.join(folder, 'postgres.log'),
      stopSignal: 'SIGINT',
      owner: account,
    })
    const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`
    if (await answers(url, server)) return { url, port, ended: server.exited, stop: server.stop }
    await server.stop()
    // Another process may have taken the port in between; every other failure would repeat.
    if (attempt === 3) throw new Error(`PostgreSQL did not start:\n${server.lastWords()}`)
  }
}

function settings(throwaway: boolean, further: readonly string[]): string[] {
  const fast = throwaway ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []
  const all = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    'TimeZone=UTC',
    ...fast,
    ...further,
  ]
  return all.flatMap((setting) => ['-c', setting])
}

async function initialise(
  bin: string,
  data: string,
  password: string,
  account: Account | undefined,
  throwaway: boolean,
): Promise<void> {
  for (const left of await readdir(data)) await rm(path.join(data, left), { recursive: true })
  const passwordFile = `${data}.${randomBytes(6).toString('hex')}`
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account !== undefined) await chown(passwordFile, account.uid, account.gid)
  const version = await mustRun(path.join(bin, 'postgres'), ['--version'], {
    cwd: path.dirname(data),
    owner: account,
  })
  const major = Number(/\d+/.exec(version)?.[0])
  const choices = [
    '--encoding=UTF8',
    ...(major >= 17
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8']),
    '--no-instructions',
    ...(throwaway ? ['--no-sync'] : []),
    // Each connection derives the key this many times; this password is long, random and deleted with the
    // data.
    ...(throwaway && major >= 16 ? ['--set=scram_iterations=1'] : []),
  ]
  try {
    const login = [`--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
    await mustRun(path.join(bin, 'initdb'), ['-D', data, ...login, ...choices], {
      cwd: path.dirname(data),
      owner: account,
    })
    await writeFile(path.join(data, COMPLETE), '')
  } finally {
    await rm(passwordFile)
  }
}

/**
 * The data folder is in `folder`; if the account cannot reach that, it is in a reachable folder, with a link
 * to it.
 */
async function dataFolder(folder: string, account: Account | undefined): Promise<string> {
  const data = path.join(folder, 'postgres')
  if (existsSync(data)) return realpath(data)
  // A link without its target is no data folder any more.
  await rm(data, { force: true })
  await mkdir(data, { recursive: true, mode: 0o700 })
  if (account === undefined) return realpath(data)
  await chown(data, account.uid, account.gid)
  if ((await runCommand('test', ['-w', data], { cwd: '/', owner: account })).code === 0) return realpath(data)
  const elsewhere = path.join(await reachableFolder(), `data-${randomBytes(4).toString('hex')}`)
  await mkdir(elsewhere, { mode: 0o700 })
  await chown(elsewhere, account.uid, account.gid)
  await rm(data, { recursive: true })
  await symlink(elsewhere, data)
  return elsewhere
}

async function readPassword(folder: string): Promise<string> {
  const file = path.join(folder, 'postgres.password')
  if (!existsSync(file)) await writeFile(file, randomBytes(18).toString('base64url'), { mode: 0o600 })
  await chmod(file, 0o600)
  return (await readFile(file, 'utf8')).trim()
}

async function answers(url: string, server: GuardedProcess): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline && !server.hasExited()) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      await delay(40)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  return false
}

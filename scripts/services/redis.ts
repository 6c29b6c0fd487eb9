import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { hasDockerEngine, startRedisContainer } from './docker.ts'
import { findRedisServer, REDIS_IS_MISSING } from './find-redis-server.ts'
import type { RedisProgram } from './find-redis-server.ts'
import { freePort } from './free-port.ts'
import type { GuardedProcess } from './guarded-process.ts'
import { startGuarded } from './guarded-process.ts'
import type { Service } from './postgres.ts'
import { stopOrphan } from './stop-orphan.ts'

const START_TIMEOUT_MS = 30_000

export interface RedisService extends Service {
  description: string
}

export interface RedisOptions {
  folder: string
  /** Uses this port instead of any free one: for a Redis that is stopped and comes back. */
  port?: number
}

/**
 * Starts our own Redis with its data in `folder`/redis: from PATH, from the distribution's packages, or in
 * Docker.
 */
export async function startRedis({ folder, port }: RedisOptions): Promise<RedisService> {
  const data = path.resolve(folder, 'redis')
  await mkdir(data, { recursive: true, mode: 0o700 })
  const program = await findRedisServer()
  if (program !== undefined) return startProgram(program, data, port)
  const container = (await hasDockerEngine()) ? await startRedisContainer(data) : undefined
  if (container === undefined) throw new Error(REDIS_IS_MISSING)
  return { ...container, description: 'redis:8 in Docker' }
}

async function startProgram(
  program: RedisProgram,
  data: string,
  wantedPort: number | undefined,
): Promise<RedisService> {
  const config = path.join(data, 'redis.conf')
  await stopOrphan(path.join(data, 'redis.pid'), config, 'SIGTERM')
  for (let attempt = 1; ; attempt += 1) {
    const port = wantedPort ?? (await freePort())
    const password = await readPassword(data)
    await writeFile(config, settings(data, port, password).join('\n'), { mode: 0o600 })
    const server = startGuarded({
      command: program.command,
      args: [config],
      cwd: data,
      logFile: `${data}.log`,
      stopSignal: 'SIGTERM',
      env: program.env,
    })
    const url = `redis://:${password}@127.0.0.1:${port}`
    if (await answers(url, server)) {
      const { exited: ended, stop } = server
      return { url, port, ended, stop, description: program.description }
    }
    await server.stop()
    if (attempt === 3) throw new Error(`Redis did not start:\n${server.lastWords()}`)
  }
}

/** `noeviction`, or Redis may drop jobs when memory is short (BullMQ, "Going to production"). */
function settings(data: string, port: number, password: string): string[] {
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${password}`,
    `dir "${data}"`,
    `pidfile "${path.join(data, 'redis.pid')}"`,
    'daemonize no',
    // Lets a later start distinguish our orphan from any other Redis.
    'proc-title-template "{title} {listen-addr} {config-file}"',
    'appendonly yes',
    'appendfsync everysec',
    'maxmemory-policy noeviction',
    'save ""',
    '',
  ]
}

async function readPassword(data: string): Promise<string> {
  const file = path.join(data, 'password')
  if (!existsSync(file)) await writeFile(file, randomBytes(18).toString('hex'), { mode: 0o600 })
  return (await readFile(file, 'utf8')).trim()
}

/** Ready means that it answers commands: after a restart Redis listens first and then loads its file. */
async function answers(url: string, server: GuardedProcess): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline && !server.hasExited()) {
    const client = new Redis(url, {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      enableReadyCheck: true,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.ping()
      return true
    } catch {
      await delay(30)
    } finally {
      client.disconnect()
    }
  }
  return false
}

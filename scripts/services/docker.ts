import { request } from 'node:http'
import { createRequire } from 'node:module'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Service } from './postgres.ts'

const ENGINE_TIMEOUT_MS = 2_000

/** Whether a Docker engine answers; a client without an engine does not count. */
export function hasDockerEngine(): Promise<boolean> {
  const host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock'
  const address = host.startsWith('unix://')
    ? { socketPath: host.slice('unix://'.length) }
    : { host: URL.parse(host)?.hostname ?? '', port: URL.parse(host)?.port ?? '2375' }
  return new Promise((resolve) => {
    const ping = request({ ...address, path: '/_ping', timeout: ENGINE_TIMEOUT_MS }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
    ping.end()
  })
}

/** testcontainers is a development dependency, so an installation without it cannot use Docker. */
async function containers() {
  try {
    createRequire(import.meta.url).resolve('testcontainers')
  } catch {
    return undefined
  }
  return import('testcontainers')
}

/** The engine owns the containers and does not tell us when one ends. */
const UNTOLD = Promise.withResolvers<never>().promise

const REDIS_COMMAND = [
  'redis-server',
  '--appendonly',
  'yes',
  '--appendfsync',
  'everysec',
  '--maxmemory-policy',
  'noeviction',
]

/** Redis 8 in a container; its data in `folder` if given. Undefined if testcontainers is not installed. */
export async function startRedisContainer(folder?: string): Promise<Service | undefined> {
  const library = await containers()
  if (library === undefined) return undefined
  const container = new library.GenericContainer('redis:8').withExposedPorts(6379).withCommand(REDIS_COMMAND)
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true })
    container.withBindMounts([{ source: path.resolve(folder), target: '/data' }])
  }
  const started = await container.start()
  const port = started.getMappedPort(6379)
  const url = `redis://${started.getHost()}:${port}`
  return { url, port, ended: UNTOLD, stop: async () => void (await started.stop()) }
}

/** A throw-away PostgreSQL 18 in a container. Undefined if testcontainers is not installed. */
export async function startPostgresContainer(): Promise<Service | undefined> {
  const library = await containers()
  if (library === undefined) return undefined
  const started = await new library.GenericContainer('postgres:18')
    .withEnvironment({ POSTGRES_USER: 'leadwire', POSTGRES_PASSWORD: 'leadwire', POSTGRES_DB: 'postgres' })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
    .withExposedPorts(5432)
    .withWaitStrategy(library.Wait.forLogMessage(/ready to accept connections/, 2))
    .start()
  const port = started.getMappedPort(5432)
  const url = `postgres://leadwire:leadwire@${started.getHost()}:${port}/postgres`
  return { url, port, ended: UNTOLD, stop: async () => void (await started.stop()) }
}

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createTestAuthority } from '#scripts/chaos/certificate.ts'
import { runScript } from '#scripts/lab/run-script.ts'
import { REPOSITORY } from '#scripts/lab/spawn-script.ts'
import { startProcess, type LabProcess } from '#scripts/lab/start-process.ts'
import { findProgram } from '#scripts/lab/start-product.ts'
import { findRedisServer } from '#scripts/services/find-redis-server.ts'
import { freePort } from '#scripts/services/free-port.ts'
import { startGuarded, type GuardedProcess } from '#scripts/services/guarded-process.ts'
import { environmentOf, readCompose, type Variables } from './compose.ts'

const run = promisify(execFile)

/** Returns the reason why the topology cannot run here, or undefined. */
export async function findMissingProgram(): Promise<string | undefined> {
  const redis = await findRedisServer()
  if (redis === undefined || path.basename(redis.command) !== 'redis-server') return 'redis-server is missing'
  return await run('caddy', ['version']).then(
    () => undefined,
    () => 'caddy is missing',
  )
}

export interface Topology {
  /** the site's address at Caddy */
  url: string
  /** the root of the authority that issued the site's certificate */
  authority: string
  migrated: string
  redisUrl: string
  servers: LabProcess[]
  /** a server's own address, which only Caddy and Prometheus use */
  serverUrl: string
  workers: LabProcess[]
  /** Runs a service's health check of docker-compose.yml; true if it succeeds. */
  isHealthy: (process: LabProcess) => Promise<boolean>
  stop: () => Promise<void>
}

/**
 * The services of docker-compose.yml as plain processes. Each gets the environment and the command of its container;
 * only host names, ports and folders differ.
 * @param dotEnv the variables of `.env`, without the addresses
 * @param databaseUrl a migrated database; its password is the `POSTGRES_PASSWORD`
 */
export async function startTopology(dotEnv: Variables, databaseUrl: URL): Promise<Topology> {
  const { services } = readCompose()
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-one-machine-'))
  const stops: Array<() => Promise<unknown>> = [() => rm(folder, { recursive: true, force: true })]
  const ports = new Map<string, number>()
  for (const name of ['redis', 'caddy', 'http', 'admin', 'server-1', 'server-2', 'worker-1', 'worker-2'])
    ports.set(name, await freePort())
  const portOf = (name: string): number => ports.get(name) ?? 0
  const local = (name: string): string => `127.0.0.1:${portOf(name)}`
  const url = `https://localhost:${portOf('caddy')}`
  const given = { ...dotEnv, PUBLIC_URL: url }

  /** The same texts with the addresses and folders of this machine. */
  const here = (text: string): string =>
    text
      .replace('//leadwire:', `//${databaseUrl.username}:`)
      .replace('@postgres:5432/leadwire', `@${databaseUrl.host}${databaseUrl.pathname}`)
      .replace('@redis:6379', `@${local('redis')}`)
      .replaceAll(/server-[12]:3000/g, (name) => local(name.replace(':3000', '')))
      .replaceAll(/(^|[\s'"])\/(data|run\/redis)/g, `$1${folder}/$2`)
  const environmentHere = (name: string, at: Record<string, string>): Record<string, string> => {
    const variables = Object.entries(environmentOf(services[name] ?? { image: '' }, given))
    return { ...Object.fromEntries(variables.map(([key, value]) => [key, here(value)])), ...at }
  }

  const stop = async (): Promise<void> => {
    for (const stopOne of stops.splice(0).toReversed()) await stopOne()
  }
  const guard = (command: string, args: string[], env: Record<string, string>): GuardedProcess => {
    const logFile = path.join(folder, `${command}.log`)
    const guarded = startGuarded({ command, args, env, cwd: folder, logFile, stopSignal: 'SIGTERM' })
    stops.push(guarded.stop)
    return guarded
  }

  try {
    for (const made of ['data', 'run/redis', 'certificates', 'caddy'])
      await mkdir(path.join(folder, made), { recursive: true })
    const PATH = `${path.dirname((await findRedisServer())?.command ?? '')}:${process.env['PATH'] ?? ''}`
    const [shell = '', option = '', script = ''] = services['redis']?.command ?? []
    const command = here(script.replaceAll('$$', '$')).replace(
      /(exec redis-server \S+)/,
      `$1 --port ${portOf('redis')}`,
    )
    guard(shell, [option, command], environmentHere('redis', { PATH }))

    const { code, output: migrated } = await runScript({
      script: services['migrate']?.command?.[1] ?? '',
      env: environmentHere('migrate', {}),
    })
    if (code !== 0) throw new Error(`The migrations failed:\n${migrated}`)

    const checkOf = (name: string): string[] => services[name]?.healthcheck?.test ?? []
    /** The last word of a health check is the address inside of the container. */
    const addressOf = (name: string): string =>
      `http://${local(name)}${new URL(checkOf(name).at(-1) ?? '').pathname}`
    const start = async (name: string): Promise<LabProcess> => {
      const isServer = name.startsWith('server')
      const at = { HOST: '127.0.0.1', [isServer ? 'PORT' : 'METRICS_PORT']: String(portOf(name)) }
      const started = await startProcess({
        name,
        script: findProgram(isServer ? 'server' : 'worker'),
        env: environmentHere(name, at),
        isReady: () =>
          fetch(addressOf(name)).then(
            ({ ok }) => ok,
            () => false,
          ),
      })
      stops.push(started.kill)
      return started
    }
    const [one, two, ...workers] = await Promise.all([
      start('server-1'),
      start('server-2'),
      start('worker-1'),
      start('worker-2'),
    ])

    const authority = createTestAuthority('Leadwire test authority')
    const { cert, key } = authority.issue(['localhost'])
    const certificates = path.join(folder, 'certificates')
    await writeFile(path.join(certificates, 'site.crt'), cert)
    await writeFile(path.join(certificates, 'site.key'), key)
    await cp(path.join(REPOSITORY, 'deploy/caddy'), path.join(folder, 'caddy'), { recursive: true })
    const caddy = environmentHere('caddy', {
      PATH,
      HOME: folder,
      HTTP_PORT: String(portOf('http')),
      ADMIN: local('admin'),
      CERTIFICATES: certificates,
    })
    const config = path.join(folder, 'caddy', 'Caddyfile')
    guard('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], caddy)
    return {
      url,
      authority: authority.cert,
      migrated,
      redisUrl: environmentHere('server-1', {})['REDIS_URL'] ?? '',
      servers: [one, two],
      serverUrl: `http://${local('server-1')}`,
      workers,
      isHealthy: async ({ name }) => {
        const [, , script = ''] = checkOf(name)
        return (await runScript({ script, args: [addressOf(name)] })).code === 0
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

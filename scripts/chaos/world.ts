import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import { loadConfig, type Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { openWorkerConnection, type RedisConnection } from '#core/queue/redis.ts'
import { SEED, setUpSources } from '../bench/set-up-source.ts'
import {
  serviceFolder,
  startBreakablePostgres,
  startBreakableRedis,
  type BreakableService,
} from '../lab/breakable-services.ts'
import { composeVariables } from '../lab/create-environment.ts'
import { now } from '../lab/now.ts'
import { CHEAP_PASSWORDS } from '../lab/open-accounts.ts'
import type { Answer } from '../lab/receiver/give-answer.ts'
import type { LabProcess } from '../lab/start-process.ts'
import { startServer, startWorker, type LabServer, type Manner } from '../lab/start-product.ts'
import { startTcpProxy, type TcpProxy } from '../lab/start-tcp-proxy.ts'
import { migrateDatabase } from '../migrate-database.ts'
import { startRedisCluster, type RedisCluster } from '../services/redis-cluster.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../services/throw-away-folder.ts'
import { startEndpoints, type Endpoints } from './endpoints.ts'
import type { AmbiguousFault } from './ledger.ts'
import { TELL_MEMORY } from './memory.ts'
import type { SourceKey } from './send-leads.ts'

export type Preload = 'shift-clock' | 'block-loop' | 'stand-in-dns'

/** What a scenario wants to find; everything has a plain default. */
export interface WorldOrder {
  workers?: number
  /** one for each client; each has a source of its own */
  endpoints?: readonly Answer[]
  /** addresses of further endpoints, instead of the receiver's own */
  urls?: readonly string[]
  env?: Record<string, string>
  /** loaded into one worker, by number */
  preloads?: Readonly<Record<number, { modules: readonly Preload[]; env?: Record<string, string> }>>
  /** the processes reach these through a proxy that can break the line */
  proxied?: ReadonlyArray<'redis' | 'postgres'>
  redis?: 'single' | 'cluster'
}

/** Everything that one scenario runs in: real services, real processes, and the means to break them. */
export interface World {
  config: Config
  db: Kysely<Database>
  redis: RedisConnection
  postgres: BreakableService
  /** undefined where Redis is a cluster */
  store: BreakableService | undefined
  cluster: RedisCluster | undefined
  proxies: { redis?: TcpProxy; postgres?: TcpProxy }
  server: LabServer
  workers: LabProcess[]
  receiver: Endpoints
  sources: SourceKey[]
  /** the log files of the processes, for a look when something failed */
  folder: string
  ambiguous: AmbiguousFault[]
  /** Declares that requests in flight now, or from then until now, may have to be made again. */
  blur: (what: string, processes?: number, from?: number) => void
  close: () => Promise<void>
}

const SCHEDULE = '1,2,3,5,5,10,10,10'

export async function startWorld(order: WorldOrder): Promise<World> {
  const closers: Array<() => Promise<unknown>> = []
  const close = async (): Promise<void> => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne()
  }
  try {
    return { ...(await build(order, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function build(
  order: WorldOrder,
  closers: Array<() => Promise<unknown>>,
): Promise<Omit<World, 'close'>> {
  const folder = await makeThrowAwayFolder('chaos')
  closers.push(async () => {
    if (process.env['CHAOS_KEEP'] === undefined) await removeThrowAwayFolder(folder, 'postgresql/postgres')
  })
  const postgres = await startBreakablePostgres(await serviceFolder(folder, 'postgresql'))
  closers.push(postgres.stop)
  await migrateDatabase(postgres.url)
  const cluster = order.redis === 'cluster' ? await startRedisCluster(folder) : undefined
  if (cluster !== undefined) closers.push(cluster.stop)
  const store =
    cluster === undefined ? await startBreakableRedis(await serviceFolder(folder, 'redis')) : undefined
  if (store !== undefined) closers.push(store.stop)
  const proxies: World['proxies'] = {}
  if (store !== undefined && order.proxied?.includes('redis')) proxies.redis = await startTcpProxy(store.url)
  if (order.proxied?.includes('postgres')) proxies.postgres = await startTcpProxy(postgres.url)
  closers.push(async () => {
    await Promise.all(Object.values(proxies).map((proxy: TcpProxy) => proxy.close()))
  })

  const direct = await composeVariables({
    DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    ...(store !== undefined && { REDIS_URL: store.url }),
    ...(cluster !== undefined && { REDIS_URL: cluster.url, REDIS_CLUSTER_NODES: cluster.nodes.join(',') }),
    ...CHEAP_PASSWORDS,
    WEBHOOK_RETRY_SCHEDULE: SCHEDULE,
    UV_THREADPOOL_SIZE: '16',
    ...order.env,
  })
  const env = {
    ...direct,
    DATABASE_URL: proxies.postgres?.through(postgres.url) ?? postgres.url,
    ...(store !== undefined && { REDIS_URL: proxies.redis?.through(store.url) ?? store.url }),
  }
  const config = loadConfig(direct)
  const { db, close: closeDatabase } = openDatabase(
    { ...config.database, poolSize: 4, name: 'chaos' },
    () => undefined,
  )
  closers.push(closeDatabase)
  const redis = openWorkerConnection(config.redis)
  redis.on('error', () => undefined)
  closers.push(async () => {
    redis.disconnect()
  })

  const inFolder = (name: string, file: string, preloads: readonly string[] = []): Manner => {
    const logFile = path.join(folder, `${file}.log`)
    return { name, logFile, keepsOutput: false, preloads: [TELL_MEMORY, ...preloads] }
  }
  const receiver = await startEndpoints(inFolder('receiver', 'receiver'))
  closers.push(receiver.stop)
  const endpoints = order.endpoints ?? ['ok']
  await receiver.behave(endpoints.map((behaviour, endpoint) => ({ endpoint, behaviour })))
  const server = await startServer({ ...env, ...SEED }, inFolder('server', 'server'))
  closers.push(server.stop)
  const urls = order.urls ?? endpoints.map((_behaviour, endpoint) => `${receiver.url}/e/${endpoint}`)
  const keys = await setUpSources(server.url, urls)
  const workers = await Promise.all(
    Array.from({ length: order.workers ?? 2 }, (_unused, index) => {
      const extra = order.preloads?.[index]
      const preloads = (extra?.modules ?? []).map((module) =>
        fileURLToPath(new URL(`./preloads/${module}.ts`, import.meta.url)),
      )
      const manner = inFolder(`worker ${index + 1}`, `worker-${index + 1}`, preloads)
      return startWorker({ ...env, ...extra?.env }, manner)
    }),
  )
  closers.push(() => Promise.all(workers.map((worker) => worker.kill())))
  const ambiguous: AmbiguousFault[] = []
  // Retries have half as many slots again.
  const inFlight = Math.ceil(config.webhooks.concurrency * 1.5)
  return {
    config,
    db,
    redis,
    postgres,
    store,
    cluster,
    proxies,
    server,
    workers,
    receiver,
    sources: keys.map((key, endpoint) => ({ key, endpoint })),
    folder,
    ambiguous,
    blur: (what, processes = 1, from = now()) => {
      ambiguous.push({ what, from, until: now(), inFlight: inFlight * processes })
    },
  }
}

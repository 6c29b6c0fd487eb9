import path from 'node:path'
import type { Kysely } from 'kysely'
import { loadConfig, type Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { DISPATCH } from '#core/fairness/limits.ts'
import { openWorkerConnection, type RedisConnection } from '#core/queue/redis.ts'
import {
  serviceFolder,
  startBreakablePostgres,
  startBreakableRedis,
  type BreakableService,
} from '../lab/breakable-services.ts'
import { composeVariables } from '../lab/create-environment.ts'
import { now } from '../lab/now.ts'
import { CHEAP_PASSWORDS } from '../lab/open-accounts.ts'
import type { Manner } from '../lab/start-product.ts'
import { findSentinel, startWatchedRedis, type WatchedRedis } from './deployment/start-watched-redis.ts'
import { startTcpProxy, type TcpProxy } from '../lab/start-tcp-proxy.ts'
import type { PostgresOptions } from '../services/postgres.ts'
import { startRedisCluster, type RedisCluster } from '../services/redis-cluster.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../services/throw-away-folder.ts'
import { startEndpoints, type Endpoints } from './endpoints.ts'
import type { AmbiguousFault } from './ledger.ts'
import { TELL_MEMORY } from './memory.ts'

/** Functions that close what was opened, in the order of opening. */
export type Closers = Array<() => Promise<unknown>>

export interface GroundOrder {
  env?: Record<string, string>
  /** services that the processes reach through a proxy that can break the line */
  proxied?: ReadonlyArray<'redis' | 'postgres'>
  redis?: 'single' | 'cluster' | 'watched'
  /** programs of another version, and further settings */
  postgres?: Pick<PostgresOptions, 'bin' | 'settings'>
}

/**
 * The base for processes of any version: real services, the clients' endpoints, and the means to observe
 * them.
 */
export interface Ground {
  config: Config
  /** variables for the processes */
  env: Record<string, string>
  db: Kysely<Database>
  redis: RedisConnection
  postgres: BreakableService
  /** undefined if Redis is a cluster, or watched by a Sentinel */
  store: BreakableService | undefined
  cluster: RedisCluster | undefined
  watched: WatchedRedis | undefined
  proxies: { redis?: TcpProxy; postgres?: TcpProxy }
  receiver: Endpoints
  /** the log files of the processes, for reading after a failure */
  folder: string
  /** a process that logs to `<file>.log` in the folder */
  inFolder: (name: string, file: string, preloads?: readonly string[]) => Manner
  ambiguous: AmbiguousFault[]
  /** Declares that requests in flight now, or from then until now, may have to be made again. */
  blur: (what: string, processes?: number, from?: number) => void
}

const SCHEDULE = '1,2,3,5,5,10,10,10'

/** Starts the services, with an empty database that is not migrated, and the endpoints. */
export async function startGround(order: GroundOrder, closers: Closers): Promise<Ground> {
  const folder = await makeThrowAwayFolder('chaos')
  closers.push(async () => {
    if (process.env['CHAOS_KEEP'] === undefined) await removeThrowAwayFolder(folder, 'postgresql/postgres')
  })
  const postgres = await startBreakablePostgres(await serviceFolder(folder, 'postgresql'), order.postgres)
  closers.push(postgres.stop)
  const cluster = order.redis === 'cluster' ? await startRedisCluster(folder) : undefined
  if (cluster !== undefined) closers.push(cluster.stop)
  const watched = order.redis === 'watched' ? await startWatched(folder) : undefined
  if (watched !== undefined) closers.push(watched.stop)
  const isSingle = cluster === undefined && watched === undefined
  const store = isSingle ? await startBreakableRedis(await serviceFolder(folder, 'redis')) : undefined
  if (store !== undefined) closers.push(store.stop)
  const proxies: Ground['proxies'] = {}
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
    ...watched?.variables,
    ...CHEAP_PASSWORDS,
    WEBHOOK_RETRY_SCHEDULE: SCHEDULE,
    UV_THREADPOOL_SIZE: '400',
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

  const inFolder: Ground['inFolder'] = (name, file, preloads = []) => {
    const logFile = path.join(folder, `${file}.log`)
    return { name, logFile, keepsOutput: false, preloads: [TELL_MEMORY, ...preloads] }
  }
  const receiver = await startEndpoints(inFolder('receiver', 'receiver'))
  closers.push(receiver.stop)
  const ambiguous: AmbiguousFault[] = []
  // The most that one worker may have claimed and not yet recorded.
  const inFlight = Math.ceil(config.webhooks.concurrency * DISPATCH.mostOpen)
  return {
    config,
    env,
    db,
    redis,
    postgres,
    store,
    cluster,
    watched,
    proxies,
    receiver,
    folder,
    inFolder,
    ambiguous,
    blur: (what, processes = 1, from = now()) => {
      ambiguous.push({ what, from, until: now(), inFlight: inFlight * processes })
    },
  }
}

async function startWatched(folder: string): Promise<WatchedRedis> {
  const programs = await findSentinel()
  if (programs === undefined) throw new Error('Neither redis-sentinel nor valkey-sentinel is installed')
  return await startWatchedRedis(await serviceFolder(folder, 'watched'), programs)
}

export async function closeAll(closers: Closers): Promise<void> {
  for (const closeOne of closers.splice(0).toReversed()) await closeOne()
}

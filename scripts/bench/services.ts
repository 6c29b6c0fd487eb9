import path from 'node:path'
import { Redis } from 'ioredis'
import { sql, type Kysely } from 'kysely'
import { loadConfig, type Config } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { createEnvironment } from '../lab/create-environment.ts'
import { startReceiverProcess, type ReceiverProcess } from '../lab/receiver/start-receiver-process.ts'
import type { Manner } from '../lab/start-product.ts'
import { startPostgres } from '../services/postgres.ts'
import { startRedisCluster, type RedisCluster } from '../services/redis-cluster.ts'
import { copyTemplate, startTestServices } from '../services/test-services.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../services/throw-away-folder.ts'

export interface BenchContext {
  config: Config
  /** Variables of docs/contract.md §2 for the processes under measurement. */
  env: Record<string, string>
  db: Kysely<Database>
  /** Makes another empty database; the returned function opens this many connections to it. */
  makeDatabase: () => Promise<(connections: number) => Kysely<Database>>
  redis: Redis
  /** every master of Redis that the processes use: `redis` alone, or those of a cluster */
  masters: readonly Redis[]
  /** their replicas, which a single Redis has not */
  replicas: readonly Redis[]
  receiver: ReceiverProcess
  /** Options for the processes under measurement. */
  manner: Manner
}

/** Building indexes or deleting gigabytes takes longer than any statement of the product. */
const PATIENT = { silenceMs: 600_000 }

type Environment = Readonly<Record<string, string | undefined>>

/**
 * A database, a queue prefix and a receiver for one run. Its PostgreSQL is crash-safe, because the throw-away
 * one of the tests is faster than any that a business may use. TEST_DATABASE_URL and TEST_REDIS_URL name
 * other services.
 * @param options.profileFolder folder for CPU profiles of the processes under measurement; without it none is
 * taken
 * @param options.variables of docs/contract.md §2, instead of those of a production system
 * @param options.settings of our own PostgreSQL
 * @param options.hasCluster the processes use a Redis Cluster of three masters, with a shard of each queue on each
 */
export async function startBench(
  environment: Environment,
  closers: Array<() => Promise<unknown>>,
  {
    profileFolder,
    variables,
    settings = [],
    hasCluster = false,
  }: {
    profileFolder?: string | undefined
    variables?: Record<string, string>
    settings?: readonly string[]
    hasCluster?: boolean
  } = {},
): Promise<BenchContext> {
  const url = environment['TEST_DATABASE_URL'] ?? (await startOwnPostgres(closers, settings))
  const services = await startTestServices({ ...environment, TEST_DATABASE_URL: url })
  closers.push(services.stop)
  const cluster = hasCluster ? await startOwnCluster(closers) : undefined
  const { env, close: closeEnvironment } = await createEnvironment(services, {
    NODE_ENV: 'production',
    ...(cluster !== undefined && {
      REDIS_URL: cluster.url,
      REDIS_CLUSTER_NODES: cluster.nodes.join(','),
      QUEUE_SHARDS: '3',
    }),
    ...variables,
  })
  closers.push(closeEnvironment)

  const config = loadConfig(env)
  const open = (url: string, poolSize: number): Kysely<Database> => {
    const { db, close } = openDatabase({ url, ...PATIENT, poolSize, name: 'bench' }, (error) => {
      console.error(`A database connection broke: ${error.message}`)
    })
    closers.push(close)
    return db
  }
  const db = open(config.database.url, 4)
  const makeDatabase: BenchContext['makeDatabase'] = async () => {
    const copy = await copyTemplate(services)
    closers.push(copy.drop)
    return (connections) => open(copy.url, connections)
  }
  const openRedis = (url: string): Redis => {
    const client = new Redis(url, { maxRetriesPerRequest: null })
    closers.push(async () => {
      client.disconnect()
    })
    return client
  }
  const redis = openRedis(services.redisUrl)
  const nodes = (cluster?.nodes ?? []).map((node) => {
    const url = new URL(cluster?.url ?? '')
    url.host = node
    return openRedis(url.href)
  })
  const manner: Manner = { keepsOutput: false, showsErrors: true }
  const receiver = await startReceiverProcess(manner)
  closers.push(receiver.stop)
  return {
    config,
    env,
    db,
    makeDatabase,
    redis,
    masters: cluster === undefined ? [redis] : nodes.slice(0, nodes.length / 2),
    replicas: nodes.slice(nodes.length / 2),
    receiver,
    manner:
      profileFolder === undefined
        ? manner
        : { ...manner, nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profileFolder)}`] },
  }
}

async function startOwnPostgres(
  closers: Array<() => Promise<unknown>>,
  settings: readonly string[],
): Promise<string> {
  const folder = await makeThrowAwayFolder('bench')
  closers.push(() => removeThrowAwayFolder(folder))
  const postgres = await startPostgres({ folder, settings })
  closers.push(postgres.stop)
  return postgres.url
}

async function startOwnCluster(closers: Array<() => Promise<unknown>>): Promise<RedisCluster> {
  const folder = await makeThrowAwayFolder('bench-cluster')
  closers.push(() => removeThrowAwayFolder(folder))
  const cluster = await startRedisCluster(folder)
  closers.push(cluster.stop)
  return cluster
}

/** The settings and versions that the figures depend on, as the services themselves report them. */
export async function describeServices({ db, redis }: BenchContext): Promise<Record<string, string>> {
  const { rows } = await sql<Record<string, string>>`
    select current_setting('server_version') as postgresql, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit`.execute(db)
  const [, appendfsync = '?'] = (await redis.config('GET', 'appendfsync')) as string[]
  const [, appendonly = '?'] = (await redis.config('GET', 'appendonly')) as string[]
  const redisVersion = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? '?'
  return {
    ...rows[0],
    redis: redisVersion,
    appendonly: appendonly === 'yes' ? `yes, ${appendfsync}` : appendonly,
    node: process.versions.node,
  }
}

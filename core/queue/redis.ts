import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Config } from '../config/config.ts'
import { TellingSentinelConnector } from './sentinels/sentinel-connector.ts'
import { shardOfQueue, tagOfShard } from './shards.ts'

type RedisConfig = Config['redis']
export type RedisConnection = Redis | Cluster

/**
 * A connection for a producer. It fails within about a second instead of waiting for Redis. Its caller has already
 * committed to PostgreSQL, and the relay will enqueue what this connection could not.
 */
export function openProducerConnection(redis: RedisConfig): RedisConnection {
  return open(redis, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 1500,
    // Without this, a socket whose other side vanished silently would let every command time out for ever.
    socketTimeout: 5000,
    lazyConnect: false,
  })
}

/** A connection for BullMQ workers: waits for ever, reconnects within 1 s (the default cap of 20 s delays recovery). */
export function openWorkerConnection(redis: RedisConfig): RedisConnection {
  return open(redis, { maxRetriesPerRequest: null, enableReadyCheck: true })
}

/** The settings that key names depend on. */
export type KeyNaming = Pick<RedisConfig, 'clusterNodes' | 'queuePrefix'>

/**
 * BullMQ's key prefix in a shard. In a cluster it is a hash tag, because the keys of one queue must share a slot. The
 * first shard's prefix is also used for all keys that belong to no queue. QUEUE_PREFIX holds no full stop, so no two
 * installations share a prefix.
 */
export function queuePrefix({ clusterNodes, queuePrefix: given }: KeyNaming, shard = 0): string {
  if (clusterNodes !== undefined) return `{${tagOfShard(given.replace(/[{}]/g, ''), shard)}}`
  return shard === 0 ? given : `${given}.${shard}`
}

/** The prefix of the keys of a queue, by its name. */
export function prefixOfQueue(naming: KeyNaming, queue: string): string {
  return queuePrefix(naming, shardOfQueue(queue))
}

function open(redis: RedisConfig, options: Record<string, unknown>): RedisConnection {
  const retryStrategy = (times: number): number => Math.min(100 * times, 1000)
  if (redis.clusterNodes !== undefined) {
    return new Cluster(readNodes(redis.clusterNodes), {
      clusterRetryStrategy: retryStrategy,
      // The successor of a killed master is there within seconds; until then no command may wait for the old one.
      slotsRefreshTimeout: 2000,
      slotsRefreshInterval: 2000,
      ...(options['enableOfflineQueue'] === false && { enableOfflineQueue: false }),
      redisOptions: { ...nodeCredentials(redis), ...options },
    })
  }
  if (redis.sentinels !== undefined)
    return new Redis({
      ...nodeCredentials(redis),
      ...findMaster(redis),
      ...options,
      retryStrategy,
      Connector: TellingSentinelConnector,
    })
  const tls = isSecure(redis) ? { tls: secure(redis) } : {}
  return new Redis(redis.url ?? 'redis://127.0.0.1:6379', { ...tls, ...options, retryStrategy })
}

function readNodes(nodes: readonly string[]): { host: string; port: number }[] {
  return nodes.map((node) => {
    const [host = '127.0.0.1', port = '6379'] = node.split(':')
    return { host, port: Number(port) }
  })
}

/** Sentinels are asked for the master at each connection, and tell when another one takes over. */
export function findMaster(redis: RedisConfig) {
  return {
    sentinels: readNodes(redis.sentinels ?? []),
    name: redis.sentinelMaster,
    ...(redis.sentinelPassword !== undefined && { sentinelPassword: redis.sentinelPassword }),
    ...(isSecure(redis) && { enableTLSForSentinelMode: true, sentinelTLS: secure(redis) }),
    sentinelRetryStrategy: (times: number) => Math.min(100 * times, 1000),
    // A Sentinel that is gone must not hold up the question to the next.
    connectTimeout: 2000,
    failoverDetector: true,
    // A master that was replaced is a replica now. The command wrote nothing, so it is sent to its successor.
    reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 2 : false),
  } satisfies RedisOptions
}

function isSecure({ url }: RedisConfig): boolean {
  return url?.startsWith('rediss:') === true
}

function secure({ tlsCa }: RedisConfig): { ca?: string } {
  return tlsCa === undefined ? {} : { ca: tlsCa }
}

/** In a cluster and with Sentinels, REDIS_URL gives only the credentials for every node, and whether to use TLS. */
export function nodeCredentials(redis: RedisConfig): RedisOptions {
  if (redis.url === undefined) return {}
  const url = new URL(redis.url)
  return {
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    ...(/^\/\d+$/.test(url.pathname) && { db: Number(url.pathname.slice(1)) }),
    ...(isSecure(redis) && { tls: secure(redis) }),
  }
}

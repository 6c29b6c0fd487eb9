import { Cluster, Redis } from 'ioredis'
import type { Config } from '../config/config.ts'
import { shardOfQueue, tagOfShard } from './shards.ts'

type RedisConfig = Config['redis']
export type RedisConnection = Redis | Cluster

/**
 * A connection for a producer: fails within about a second instead of waiting for Redis, because the caller has already
 * committed to PostgreSQL and the relay will enqueue what this could not.
 */
export function openProducerConnection(redis: RedisConfig): RedisConnection {
  return open(redis, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 1500,
    // A socket whose other side is gone without a word would time out every command for ever.
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
 * BullMQ's key prefix in a shard; in a cluster a hash tag, because the keys of one queue must share a slot. That of the first shard
 * is also the prefix of whatever is no queue. QUEUE_PREFIX holds no full stop, so no other installation has the others.
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
    const nodes = redis.clusterNodes.map((node) => {
      const [host = '127.0.0.1', port = '6379'] = node.split(':')
      return { host, port: Number(port) }
    })
    return new Cluster(nodes, {
      clusterRetryStrategy: retryStrategy,
      // A killed master's successor is there within seconds; until then no command may wait for the old one.
      slotsRefreshTimeout: 2000,
      slotsRefreshInterval: 2000,
      ...(options['enableOfflineQueue'] === false && { enableOfflineQueue: false }),
      redisOptions: { ...credentials(redis.url), ...options },
    })
  }
  return new Redis(redis.url ?? 'redis://127.0.0.1:6379', { ...options, retryStrategy })
}

/** In a cluster, REDIS_URL says only who we are to every node, and whether over TLS. */
function credentials(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {}
  const url = new URL(text)
  return {
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
  }
}

import type { Config } from '#core/config/config.ts'
import { checkRedis } from '#core/queue/check-redis.ts'
import { countPresentWorkers } from '#core/queue/present-workers.ts'
import { queuePrefix, type RedisConnection } from '#core/queue/redis.ts'
import { Cluster } from 'ioredis'
import { doubtful, fine, wrong, type Finding } from './check.ts'

/** Share of `maxmemory` beyond which a burst may fill Redis. */
const NEARLY_FULL = 0.8
const MEBIBYTE = 1024 * 1024

/** Everything that Redis tells. */
export async function checkRedisServer(config: Config, connection: RedisConnection): Promise<Finding[]> {
  const { faults, doubts } = await checkRedis(connection)
  const advice = 'correct it in the configuration of Redis; docs/operations/README.md says how'
  const nodes = connection instanceof Cluster ? connection.nodes('master') : [connection]
  const infos = await Promise.all(nodes.map((node) => node.info()))
  return [
    ...(faults.length === 0 ? [fine('Redis', describeVersions(infos))] : []),
    ...faults.map((fault) => wrong('Redis', fault, advice)),
    ...doubts.map((doubt) => doubtful('Redis', doubt, advice)),
    checkPersistence(infos),
    checkMemory(infos),
    await checkWorkers(config, connection),
  ]
}

const read = (info: string, field: string): string | undefined =>
  new RegExp(`^${field}:(.*?)\\r?$`, 'm').exec(info)?.[1]?.trim()

function describeVersions(infos: readonly string[]): string {
  const versions = new Set(infos.map((info) => read(info, 'redis_version') ?? 'unknown'))
  return `version ${[...versions].join(', ')}, noeviction${infos.length > 1 ? `, ${infos.length} masters` : ''}`
}

function checkPersistence(infos: readonly string[]): Finding {
  const states = infos.map((info) => read(info, 'aof_enabled'))
  if (states.every((state) => state === '1')) return fine('Redis append-only file', 'on')
  const isOff = states.includes('0')
  return doubtful(
    'Redis append-only file',
    isOff ? 'off: a restart loses every job, and the workers rebuild them from PostgreSQL' : 'unknown',
    'set `appendonly yes`, so that a restart delays nothing and paused queues stay paused',
  )
}

function checkMemory(infos: readonly string[]): Finding {
  const uses = infos.map((info) => ({
    used: Number(read(info, 'used_memory') ?? 0),
    most: Number(read(info, 'maxmemory') ?? 0),
  }))
  const fullest = uses.toSorted((a, b) => b.used / (b.most || Infinity) - a.used / (a.most || Infinity))[0]
  if (fullest === undefined) return fine('Redis memory', 'unknown')
  const found = `${Math.ceil(fullest.used / MEBIBYTE)} MiB used, ${
    fullest.most === 0 ? 'no limit' : `limit ${Math.floor(fullest.most / MEBIBYTE)} MiB`
  }`
  return fullest.most > 0 && fullest.used > fullest.most * NEARLY_FULL
    ? wrong(
        'Redis memory',
        found,
        'raise `maxmemory`; a full Redis takes no jobs, and leads wait for the relay',
      )
    : fine('Redis memory', found)
}

async function checkWorkers({ redis }: Config, connection: RedisConnection): Promise<Finding> {
  const { count, slots } = await countPresentWorkers(connection, queuePrefix(redis))
  return count === 0
    ? wrong('Workers', 'none reports to Redis', 'start one: `npm run worker`')
    : fine('Workers', `${count} running, ${slots} requests at once`)
}

import { Cluster } from 'ioredis'
import type { RedisConnection } from './redis.ts'

/** BullMQ's scripts and our heartbeat (`SET … GET EX`) need 6.2. */
const OLDEST = [6, 2] as const

/** The findings about a Redis: `faults` forbid its use; `doubts` are points that could not be checked. */
export interface RedisCheck {
  faults: string[]
  doubts: string[]
}

/**
 * Reads version and eviction policy of every node that holds keys. It waits for Redis as long as the connection does.
 */
export async function checkRedis(connection: RedisConnection): Promise<RedisCheck> {
  // A cluster's nodes are known once it is reached.
  await connection.ping()
  const nodes = connection instanceof Cluster ? connection.nodes('master') : [connection]
  const answers = await Promise.all(nodes.map((node) => node.info().then(judgeRedis, () => judgeRedis(''))))
  return {
    faults: [...new Set(answers.flatMap(({ faults }) => faults))],
    doubts: [...new Set(answers.flatMap(({ doubts }) => doubts))],
  }
}

/** Judges the answer of INFO, which managed services allow although they forbid CONFIG. */
export function judgeRedis(info: string): RedisCheck {
  const read = (field: string): string | undefined =>
    new RegExp(`^${field}:(.*?)\\r?$`, 'm').exec(info)?.[1]?.trim()
  const faults: string[] = []
  const doubts: string[] = []

  const version = read('redis_version')
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
  if (version === undefined) doubts.push('Redis does not tell its version')
  else if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    faults.push(`Redis is version ${version}; ${OLDEST.join('.')} or newer is needed`)
  }
  const policy = read('maxmemory_policy')
  if (policy === undefined) doubts.push('Redis does not tell its maxmemory-policy, which must be noeviction')
  else if (policy !== 'noeviction') {
    faults.push(
      `Redis has maxmemory-policy ${policy} and may throw jobs and locks away when its memory is full; set it to noeviction`,
    )
  }
  return { faults, doubts }
}

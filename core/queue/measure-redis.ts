import { Cluster } from 'ioredis'
import type { RedisConnection } from './redis.ts'

/** The memory of Redis, of all masters. */
export interface RedisMemory {
  /** 0 to 1, of the fullest master; undefined where maxmemory is not set */
  usedRatio: number | undefined
  /** masters that evict keys when they are full */
  evicting: number
}

/** Reads INFO of every master. @throws when one does not answer */
export async function measureRedis(connection: RedisConnection): Promise<RedisMemory> {
  const nodes = connection instanceof Cluster ? connection.nodes('master') : [connection]
  const answers = await Promise.all(nodes.map((node) => node.info('memory')))
  const read = (info: string, field: string): string | undefined =>
    new RegExp(`^${field}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const ratios = answers.flatMap((info) => {
    const most = Number(read(info, 'maxmemory') ?? 0)
    return most > 0 ? [Number(read(info, 'used_memory')) / most] : []
  })
  return {
    usedRatio: ratios.length === 0 ? undefined : Math.max(...ratios),
    evicting: answers.filter((info) => (read(info, 'maxmemory_policy') ?? 'noeviction') !== 'noeviction')
      .length,
  }
}

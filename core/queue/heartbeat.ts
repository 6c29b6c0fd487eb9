import type { RedisConnection } from './redis.ts'

/** A process that sleeps longer mistakes its own absence for a loss; a superfluous rebuild costs little. */
const KEPT_SECONDS = 3600
/** If a rebuild takes longer, another process may start one too. */
const LEAD_SECONDS = 10

/**
 * Notices that Redis has lost its data: it was flushed, restored from an old snapshot, or failed over without its last
 * writes. Each beat leaves a number that the next one must find.
 */
export interface Heartbeat {
  /**
   * `new` is a process's first beat, which cannot know about earlier ones.
   * @throws when Redis does not answer
   */
  beat: () => Promise<'kept' | 'lost' | 'new'>
  /** Runs the work unless another process is running it. */
  lead: (work: () => Promise<void>) => Promise<void>
  stop: () => Promise<void>
}

/**
 * @param prefix of all keys (queuePrefix); no queue may be called `heartbeat` or `rebuild`
 * @param id of this run of the process; no other run may have it
 */
export function createHeartbeat(connection: RedisConnection, prefix: string, id: string): Heartbeat {
  const key = `${prefix}:heartbeat:${id}`
  const leadKey = `${prefix}:rebuild`
  let count = 0
  /** values that the key may have: a beat without an answer may or may not have been written */
  let expected = new Set<string>()

  return {
    beat: async () => {
      count += 1
      const first = expected.size === 0
      const number = String(count)
      const found = await connection.set(key, number, 'EX', KEPT_SECONDS, 'GET').catch((error: unknown) => {
        if (!first) expected.add(number)
        throw error
      })
      const isKept = found !== null && expected.has(found)
      expected = new Set([number])
      if (first) return 'new'
      return isKept ? 'kept' : 'lost'
    },
    lead: async (work) => {
      if ((await connection.set(leadKey, id, 'EX', LEAD_SECONDS, 'NX')) === null) return
      try {
        await work()
      } finally {
        await connection.del(leadKey).catch(() => undefined)
      }
    },
    stop: async () => {
      await connection.del(key).catch(() => undefined)
    },
  }
}

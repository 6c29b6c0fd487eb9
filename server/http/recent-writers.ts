import type { CountingPlace } from './rate-limits.ts'

/** The accounts that changed something, or were told of a change, less than the replica's longest lag ago. */
export interface RecentWriters {
  note: (accounts: readonly string[]) => Promise<void>
  /** Returns whether this account must read from the primary, to see what it wrote or was told. */
  has: (account: string) => Promise<boolean>
}

/**
 * Redis keeps them for all servers together, for as long as the replica may lag. While Redis is away, everybody counts as
 * one.
 */
export function openRecentWriters(redis: CountingPlace, keepMs: number): RecentWriters {
  const keyOf = (account: string): string => `${redis?.prefix ?? ''}:wrote:${account}`
  return {
    note: async (accounts) => {
      if (redis === undefined) return
      await Promise.all(accounts.map((account) => redis.client.set(keyOf(account), '1', 'PX', keepMs))).catch(
        () => undefined,
      )
    },
    has: async (account) => {
      if (redis === undefined) return true
      return await redis.client.exists(keyOf(account)).then(
        (found) => found > 0,
        () => true,
      )
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from '#core/data/is-database-away.ts'
import { isPoolBusy } from './is-pool-busy.ts'

/** In total long enough to replace a broken connection, and short enough for a caller who waits. */
const WAITS_MS = [100, 400, 1200]

/**
 * Repeats work if its connection broke or none was available. The work may have been committed all the same,
 * so it must be idempotent.
 */
export async function repeatWhileDatabaseAway<T>(work: () => Promise<T>): Promise<T> {
  for (const waitMs of WAITS_MS) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error) && !isPoolBusy(error)) throw error
      await sleep(waitMs)
    }
  }
  return await work()
}

import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import { creditLateLeads, judgeLateLeads } from '#core/use-cases/market/credit-late-leads.ts'
import type { WorkerContext } from '#worker/context.ts'

/**
 * Judges first attempts that may have begun late, and credits late leads, in one bounded batch of each for every run: an
 * outage of an hour makes thousands of them, which must not delay others. One worker at a time does so. The notes were
 * written with the attempts, so a crash loses none.
 */
export function createCreditLateLeads({
  db,
  config,
}: Pick<WorkerContext, 'db' | 'config'>): (signal: AbortSignal) => Promise<void> {
  return async function creditAll() {
    try {
      await judgeLateLeads(db, config.webhooks.endpointConcurrency)
      await creditLateLeads(db)
    } catch (error) {
      // Somebody holds a balance for longer. Nothing was written, and the next run tries again.
      if (!isLockTimeout(error)) throw error
    }
  }
}

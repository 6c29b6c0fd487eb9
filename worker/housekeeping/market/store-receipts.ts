import { isDatabaseAway } from '#core/data/is-database-away.ts'
import { listUnstoredReceipts } from '#core/data/market/payments/receipts.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import { storeReceipt } from '#core/use-cases/market/money/store-receipt.ts'
import type { WorkerContext } from '#worker/context.ts'

const BATCH = 20
/** A receipt that could not be stored, for want of room, is tried again after this time. */
const AGAIN_MS = 10 * 60_000

/**
 * Stores the receipts of received payments as files. Several workers may do this at once: a receipt has one name, and
 * stored again it is the same.
 */
export function createStoreReceipts(
  context: Pick<WorkerContext, 'db' | 'files' | 'logger'>,
): (signal: AbortSignal) => Promise<void> {
  const { db, logger } = context
  const failed = new Set<string>()
  let failedAt = 0
  return async (signal) => {
    if (performance.now() - failedAt > AGAIN_MS) failed.clear()
    for (const id of await listUnstoredReceipts(db, { limit: BATCH, without: [...failed] })) {
      if (signal.aborted) return
      try {
        await storeReceipt(context, { id })
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        if (failed.size === 0) failedAt = performance.now()
        failed.add(id)
        logger.error({ payment_id: id, failure: describeError(error) }, 'a receipt could not be stored')
      }
    }
  }
}

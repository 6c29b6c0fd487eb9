import { removeExpiredFiles } from '#core/data/files/expired-files.ts'
import { removeFreedBytes } from '#core/use-cases/files/remove-freed-bytes.ts'
import type { WorkerContext } from '#worker/context.ts'

/** Files removed in one statement. */
const STEP = 500
/** An upload takes less than a day, so what is older was cut off by a crash. */
const UNFINISHED_MS = 24 * 3600 * 1000

/**
 * Removes files whose time is over (exports after a week), then bytes that no file has, and what interrupted uploads
 * left behind. Any number of workers may do this at once.
 */
export async function removeOverFiles(
  context: Pick<WorkerContext, 'db' | 'files' | 'logger' | 'metrics'>,
  signal: AbortSignal,
): Promise<void> {
  const { db, files, logger, metrics } = context
  const removed = { expired: 0, unnamed: 0, unfinished: 0 }
  for (let step = STEP; step === STEP && !signal.aborted; removed.expired += step)
    step = await removeExpiredFiles(db, STEP)
  removed.unfinished = await files.removeUnfinished(new Date(Date.now() - UNFINISHED_MS))
  removed.unnamed = await removeFreedBytes({ db, files }, () => signal.aborted)
  metrics.countRemovedFiles(removed)
  if (Object.values(removed).some((count) => count > 0)) logger.info(removed, 'removed files that are over')
}

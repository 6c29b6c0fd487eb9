import { readClock } from '#core/data/read-clock.ts'
import { removeByAge } from '#core/use-cases/retention/remove-by-age.ts'
import type { WorkerContext } from '#worker/context.ts'

/**
 * Removes finished deliveries and events, old leads' persons, decisions and audit rows by their age, in pieces that delay
 * nobody. One worker at a time does it.
 */
export async function removeOldRecords(
  { db, config, logger, metrics }: Pick<WorkerContext, 'db' | 'config' | 'logger' | 'metrics'>,
  signal: AbortSignal,
): Promise<void> {
  const removed = await removeByAge({
    db,
    periods: config,
    now: await readClock(db),
    signal,
    onRemoved: metrics.countRemovedRows,
  })
  if (Object.values(removed).some((count) => count > 0)) logger.info(removed, 'removed what is over')
}

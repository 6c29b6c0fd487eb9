import { ensureLogPartitions } from '#core/data/webhooks/logs/log-partitions.ts'
import type { WorkerContext } from '#worker/context.ts'

const WEEKS_AHEAD = 4

/**
 * Makes the log's weekly partitions ahead of time. If a row came before its partition, the row is kept and moved, and a
 * warning is logged.
 */
export async function makePartitions(context: Pick<WorkerContext, 'db' | 'logger'>): Promise<void> {
  const misplaced = await ensureLogPartitions(context.db, WEEKS_AHEAD)
  if (misplaced > 0) {
    context.logger.warn(
      { rows: misplaced },
      'the log had rows in its default partition; moved to their weeks',
    )
  }
}

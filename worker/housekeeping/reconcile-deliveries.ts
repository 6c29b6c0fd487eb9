import { findOverdueDeliveries } from '#core/data/plan-deliveries.ts'
import type { WorkerContext } from '../context.ts'

const BATCH = 500
/** A job this late may be gone; one that merely waits in a backlog is found in Redis and left alone. */
const OVERDUE_SECONDS = 5

/**
 * Re-adds deliveries whose job is gone: Redis was flushed, a bulk was cut short, a worker died between commit and add.
 * Driven from PostgreSQL, oldest first, all pages of it.
 */
export async function reconcileDeliveries(
  context: Pick<WorkerContext, 'db' | 'deliveries' | 'logger'>,
): Promise<void> {
  let after: { due: string; id: string } | null = null
  for (;;) {
    const overdue = await findOverdueDeliveries(context.db, {
      overdueSeconds: OVERDUE_SECONDS,
      limit: BATCH,
      after,
    })
    // Whatever is stuck is among the oldest sooner or later, so only the first page is looked at closely.
    const restored = await context.deliveries.restore(overdue, after === null ? undefined : 0)
    if (restored > 0)
      context.logger.info({ restored, looked_at: overdue.length }, 'restored deliveries whose job was gone')
    const last = overdue.at(-1)
    if (last === undefined || overdue.length < BATCH) return
    after = { due: last.due, id: last.delivery_id }
  }
}

import { listOpenRecalls } from '#core/data/leads/lead-recalls.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { finishRecall, recallNextLead } from '#core/use-cases/market/recall-lead.ts'
import type { WorkerContext } from '#worker/context.ts'

/**
 * Returns the leads of recalls, each in a transaction of its own with its credit and the progress. So a crash repeats
 * nothing, and no lead or balance stays locked for longer than one return.
 */
export function createRecallLeads({
  db,
  logger,
}: Pick<WorkerContext, 'db' | 'logger'>): (signal: AbortSignal) => Promise<void> {
  return async function recallLeads(signal) {
    for (const recall of await listOpenRecalls(db)) {
      let returned = 0
      while (
        !signal.aborted &&
        (await repeatOnConflict(() => db.transaction().execute((trx) => recallNextLead(trx, recall))))
      )
        returned += 1
      if (signal.aborted) return
      await repeatOnConflict(() => db.transaction().execute((trx) => finishRecall(trx, recall.id)))
      logger.info({ recall_id: recall.id, leads: returned }, 'leads of a source were recalled')
    }
  }
}

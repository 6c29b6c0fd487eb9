import { isDatabaseAway } from '#core/data/is-database-away.ts'
import { listOpenRecalls, noteRecalled, type OpenRecall } from '#core/data/leads/lead-recalls.ts'
import { isConflict, repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { finishRecall, recallNextLead } from '#core/use-cases/market/recall-lead.ts'
import type { WorkerContext } from '#worker/context.ts'

type Context = Pick<WorkerContext, 'db' | 'logger'>

/**
 * Returns the leads of recalls, each in a transaction of its own with its credit and the progress. So a crash repeats
 * nothing, and no lead or balance stays locked for longer than one return.
 */
export function createRecallLeads(context: Context): (signal: AbortSignal) => Promise<void> {
  const { db, logger } = context
  return async function recallLeads(signal) {
    for (const recall of await listOpenRecalls(db)) {
      let leads = 0
      while (!signal.aborted && (await recallNext(context, recall))) leads += 1
      if (signal.aborted) return
      await repeatOnConflict(() => db.transaction().execute((trx) => finishRecall(trx, recall.id)))
      logger.info({ recall_id: recall.id, leads }, 'leads of a source were recalled')
    }
  }
}

/** A lead that cannot be returned is skipped, so that the others do not wait for it; a later recall finds it again. */
async function recallNext({ db, logger }: Context, recall: OpenRecall): Promise<boolean> {
  const taking: { lead?: string } = {}
  const note = (leadId: string) => {
    taking.lead = leadId
  }
  try {
    return await repeatOnConflict(() => {
      delete taking.lead
      return db.transaction().execute((trx) => recallNextLead(trx, recall, note))
    })
  } catch (error) {
    const { lead } = taking
    // These pass, and the lead is returned then.
    if (lead === undefined || isDatabaseAway(error) || isConflict(error)) throw error
    logger.error({ err: error, recall_id: recall.id, lead_id: lead }, 'a lead could not be recalled')
    await noteRecalled(db, recall.id, lead, 'skipped')
    return true
  }
}

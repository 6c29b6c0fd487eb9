import type { LeadRecall, NewRecall } from '#core/contract/leads/lead-recall.ts'
import { insertRecall, listRecalls, previewRecall } from '#core/data/leads/lead-recalls.ts'
import { readSource } from '#core/data/leads/sources/sources.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { auditChange, type By } from '../../market/audit-change.ts'

/**
 * Begins to take back the sold leads of a source; a worker returns them one by one.
 * @throws AppError not_found, conflict if nothing is sold, or a recall of this source is under way
 */
export async function startRecall(
  { db }: ServerContext,
  by: By,
  { source_id, from, to, reason }: NewRecall,
): Promise<LeadRecall> {
  if ((await readSource(db, source_id)) === undefined) throw new AppError('not_found', 'Source not found')
  const range = { source: source_id, from, to }
  const id = await db.transaction().execute(async (trx) => {
    const begun = await insertRecall(trx, range, { note: reason, by: by.caller.user_id })
    if (begun === undefined)
      throw new AppError('conflict', 'Leads of this source are being recalled. Wait until that ends.')
    const [recall] = await listRecalls(trx, { limit: 1, id: begun })
    const leads = recall?.leads ?? 0
    if (leads === 0) throw new AppError('conflict', 'No sold lead of this source came in that time.')
    const { amount } = await previewRecall(trx, range)
    const span = { from: from.toISOString(), to: to.toISOString() }
    const details = { recall_id: begun, source_id, ...span, leads, amount, note: reason }
    await auditChange(trx, by, { action: 'leads_recalled', details })
    return begun
  })
  const [recall] = await listRecalls(db, { limit: 1, id })
  if (recall === undefined) throw new Error('A recall that was begun is gone')
  return recall
}

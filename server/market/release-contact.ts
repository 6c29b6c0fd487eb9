import { removeSuppression } from '#core/data/market/suppressions.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { auditChange, type By } from './audit-change.ts'

/** Removes an entry from the suppression list. @throws AppError not_found */
export async function releaseContact(
  context: ServerContext,
  by: By,
  id: string,
  note: string | null,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const removed = await removeSuppression(trx, id)
    if (removed === undefined) throw new AppError('not_found', 'Nothing on the list has this id')
    await auditChange(trx, by, {
      action: 'suppression_removed',
      details: { suppression_id: id, before: removed, note },
    })
  })
}

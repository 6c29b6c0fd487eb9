import type { Source } from '#core/contract/leads/source.ts'
import { switchTestMode } from '#core/data/leads/sources/sources.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { auditChange, type By } from '../../market/audit-change.ts'

/** Switches a source's test mode; leads that it sent before do not change. @throws AppError not_found */
export async function changeSource(
  { db }: ServerContext,
  by: By,
  id: string,
  change: { test_mode: boolean },
): Promise<Source> {
  return await db.transaction().execute(async (trx) => {
    const switched = await switchTestMode(trx, id, change.test_mode)
    if (switched === undefined) throw new AppError('not_found', 'Source not found')
    if (switched.isNews) {
      const details = { source_id: id, before: { test_mode: !change.test_mode }, after: change }
      await auditChange(trx, by, { action: 'source_changed', details })
    }
    return switched.source
  })
}

import type { Source } from '#core/contract/leads/source.ts'
import { lockSource, readSource } from '#core/data/leads/sources/sources.ts'
import { stopSource as stop } from '#core/data/leads/sources/stop-source.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { auditChange, type By } from '../../market/audit-change.ts'

/** Stops a source for good; a repeat is harmless, and keeps the first reason. @throws AppError not_found */
export async function stopSource(
  context: ServerContext,
  by: By,
  id: string,
  reason: string,
): Promise<Source> {
  await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const source = await lockSource(trx, id)
      if (source === undefined) throw new AppError('not_found', 'Source not found')
      if (source.stopped_at !== null) return
      await stop(trx, id, reason)
      await auditChange(trx, by, { action: 'source_stopped', details: { source_id: id, note: reason } })
    }),
  )
  context.identity.sources.forget()
  const stopped = await readSource(context.db, id)
  if (stopped === undefined) throw new Error('A source that was stopped is gone')
  return stopped
}

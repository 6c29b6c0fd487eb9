import type { Source } from '#core/contract/leads/source.ts'
import { lockSource, readSource } from '#core/data/leads/sources/sources.ts'
import { setSourcePause } from '#core/data/leads/sources/pause-source.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { AppError } from '#core/errors.ts'
import { auditChange, type By } from '../../market/audit-change.ts'
import type { OperatorContext } from '../../operator-context.ts'

/**
 * Pauses a source, or ends its pause. While it is paused, leads posted under its keys are refused (403), and nothing of
 * them is stored; leads that came before are sold and delivered, and imports go on. A repeat changes nothing.
 * @throws AppError not_found, conflict for a source that was stopped for good
 * @returns the source, and whether it changed
 */
export async function pauseSource(
  { db }: Pick<OperatorContext, 'db'>,
  by: By,
  id: string,
  { isPaused, reason }: { isPaused: boolean; reason: string },
): Promise<{ source: Source; is_news: boolean }> {
  return await repeatOnConflict(() =>
    db.transaction().execute(async (trx) => {
      const locked = await lockSource(trx, id)
      if (locked === undefined) throw new AppError('not_found', 'Source not found')
      if (locked.stopped_at !== null) throw new AppError('conflict', 'This source was stopped for good.')
      const isNews = (locked.paused_at !== null) !== isPaused
      if (isNews) {
        await setSourcePause(trx, id, isPaused ? { reason, by: by.caller.person_id } : null)
        const action = isPaused ? 'source_paused' : 'source_resumed'
        await auditChange(trx, by, { action, details: { source_id: id, note: reason } })
      }
      const source = await readSource(trx, id)
      if (source === undefined) throw new Error('A source that is locked is gone')
      return { source, is_news: isNews }
    }),
  )
}

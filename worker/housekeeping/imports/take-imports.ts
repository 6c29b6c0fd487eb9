import { setTimeout as sleep } from 'node:timers/promises'
import { listRunningImports } from '#core/data/imports/take-rows.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { IMPORTS } from '#core/fairness/limits.ts'
import { failpoint } from '#core/failpoints.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { WorkerContext } from '#worker/context.ts'
import { takeRows, type TakenRows } from './take-rows.ts'
import { createTryImport } from './try-import.ts'

/**
 * Turns rows of running imports into leads, a few at a time; the import that has waited longest comes first. Leads, row
 * results and progress are one transaction, so another worker can continue after a crash. Imports run at low priority,
 * because nobody waits for a row. Any number of workers may do this at once.
 */
export function createTakeImports(
  context: Pick<WorkerContext, 'db' | 'holdDb' | 'logger' | 'events'>,
): (signal: AbortSignal) => Promise<void> {
  const { db, logger, events } = context
  const tryImport = createTryImport(context)

  /**
   * Works on the first import that no other worker has.
   * @returns false if there is none
   */
  async function takeNext(signal: AbortSignal): Promise<boolean> {
    for (const { id, source_id } of await listRunningImports(db)) {
      const tried = await tryImport({ id, state: 'running', signal }, () =>
        repeatOnConflict(() =>
          db.transaction().execute(async (trx) => {
            const rows = await takeRows(trx, id, IMPORTS.piece)
            await failpoint('before-import')
            return rows
          }),
        ),
      )
      if (tried.outcome === 'elsewhere') continue
      if (tried.outcome === 'done') await tell({ id, source_id }, tried.result)
      return true
    }
    return false
  }

  async function tell({ id, source_id }: { id: string; source_id: string }, taken: TakenRows): Promise<void> {
    await failpoint('after-import')
    for (const error of taken.failures)
      logger.error({ import_id: id, failure: describeError(error) }, 'a row of an import was not stored')
    await events.publish(taken.events, { sender: source_id, inBulk: true })
  }

  return async (signal) => {
    while (!signal.aborted) {
      const beganAt = performance.now()
      if (!(await takeNext(signal))) return
      const tookMs = performance.now() - beganAt
      await sleep(tookMs * IMPORTS.restTimes, undefined, { signal }).catch(() => undefined)
    }
  }
}

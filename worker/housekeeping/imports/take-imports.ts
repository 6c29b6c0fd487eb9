import { setTimeout as sleep } from 'node:timers/promises'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { IMPORTS } from '#core/fairness/limits.ts'
import { failpoint } from '#core/failpoints.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { WorkerContext } from '#worker/context.ts'
import { takeRows } from './take-rows.ts'

/**
 * Makes leads of the rows of running imports, a few at a time, each time of the import that has waited for longest. Leads, what is said
 * of their rows and how far the import has come are one transaction: whoever dies leaves all of it or nothing, and the next goes on.
 * Nobody waits for a row of a file, so all of them give way.
 * Any number of workers may do it at once.
 */
export async function takeImports(
  { db, logger, events }: Pick<WorkerContext, 'db' | 'logger' | 'events'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const beganAt = performance.now()
    const taken = await repeatOnConflict(() =>
      db.transaction().execute(async (trx) => {
        const rows = await takeRows(trx, IMPORTS.piece)
        await failpoint('before-import')
        return rows
      }),
    )
    if (taken === undefined) return
    await failpoint('after-import')
    for (const error of taken.failures)
      logger.error(
        { import_id: taken.id, failure: describeError(error) },
        'a row of an import was not stored',
      )
    await events.publish(taken.events, { sender: taken.source_id, inBulk: true })
    const tookMs = performance.now() - beganAt
    await sleep(tookMs * IMPORTS.restTimes, undefined, { signal }).catch(() => undefined)
  }
}

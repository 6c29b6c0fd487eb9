import type { ExportFailure } from '#core/contract/exports/export.ts'
import { claimExport, failExport, releaseExport, type ClaimedExport } from '#core/data/exports/make-export.ts'
import { isDatabaseAway } from '#core/data/is-database-away.ts'
import { EXPORTS } from '#core/fairness/limits.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import { judgeAsker } from '#core/use-cases/exports/judge-asker.ts'
import { FileRefusal } from '#core/use-cases/files/file-refusal.ts'
import type { WorkerContext } from '#worker/context.ts'
import { makeFew } from '../make-few.ts'
import { ExportLost, makeFile } from './make-file.ts'

type Context = Pick<WorkerContext, 'db' | 'files' | 'logger'>

/**
 * Makes the files of exports, the one that has waited longest first, a few at once and one of an account, so a long one
 * does not delay other accounts. A worker that makes one holds its lease; if the worker dies, another one begins the file
 * again. The file gets its name in the transaction that finishes the export, so there is never a second one. Any number
 * of workers may do this at once.
 */
export function createMakeExports(context: Context): (signal: AbortSignal) => Promise<void> {
  return async (signal) =>
    await makeFew(signal, EXPORTS, {
      claim: async () => await claimExport(context.db, EXPORTS.leaseSeconds),
      make: async (claimed) => await makeOne(context, claimed, signal),
    })
}

async function makeOne(context: Context, claimed: ClaimedExport, signal: AbortSignal): Promise<void> {
  const { db, logger } = context
  const fields = { export_id: claimed.id, kind: claimed.kind, tries: claimed.tries }
  const fail = async (failure: ExportFailure): Promise<void> => {
    await failExport(db, claimed, failure)
    logger.info({ ...fields, failure }, 'an export failed')
  }
  if (claimed.tries > EXPORTS.mostTries) return await fail('ended_worker')
  const viewer = await judgeAsker(db, claimed)
  if (viewer === undefined) return await fail('access_lost')
  try {
    const made = await makeFile(context, { claimed, viewer, signal })
    logger.info({ ...fields, ...made }, 'an export is ready')
  } catch (error) {
    if (error instanceof ExportLost) {
      // If it is still this worker's, the role is judged again.
      await releaseExport(db, claimed, { seconds: 0, isCounted: true })
      return logger.info(fields, 'an export was removed, is made elsewhere or is judged again')
    }
    if (signal.aborted) return await releaseExport(db, claimed, { seconds: 0, isCounted: false })
    // Its lease ends, and it is made again.
    if (isDatabaseAway(error)) throw error
    const failure = failureOf(error)
    const isLast = claimed.tries >= EXPORTS.mostTries
    if (failure !== undefined && (failure !== 'no_room' || isLast)) return await fail(failure)
    logger.error({ ...fields, failure: describeError(error) }, 'an export was broken off')
    if (isLast) return await fail('ended_worker')
    await releaseExport(db, claimed, { seconds: EXPORTS.againSeconds, isCounted: true })
  }
}

/** Undefined for a failure that is ours. */
function failureOf(error: unknown): ExportFailure | undefined {
  if (!(error instanceof FileRefusal)) return undefined
  if (error.reason === 'too_large' || error.reason === 'quota_reached') return 'too_large'
  return error.reason === 'store_full' ? 'no_room' : undefined
}

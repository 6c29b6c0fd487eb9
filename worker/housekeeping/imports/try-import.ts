import { DatabaseError } from 'pg'
import { CsvFault } from '#core/csv/csv-fault.ts'
import { isDatabaseAway } from '#core/data/is-database-away.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { countTry, takeBackTry, withImport } from '#core/data/imports/hold-import.ts'
import { failImport } from '#core/data/imports/stage-rows.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { WorkerContext } from '#worker/context.ts'

/** Number of tries without a result after which the import fails. */
const MOST_TRIES = 3

/**
 * The outcome of a try: it has a result; or the import is over, or another worker has it; or the try did not finish.
 */
export type Tried<T> = { outcome: 'done'; result: T } | { outcome: 'elsewhere' } | { outcome: 'failed' }

/** Works on an import that no other worker has. */
export type TryImport = <T>(
  given: { id: string; state: 'reading' | 'running'; signal: AbortSignal },
  work: () => Promise<T>,
) => Promise<Tried<T>>

/**
 * Works on imports so that one that cannot be read, or that ends its worker, is not tried for ever (docs/contract.md
 * §4). Unreadable content fails at once. A try that ends in any other way is counted, and the third one fails. A stop
 * or an outage of the database is not counted.
 */
export function createTryImport({
  db,
  holdDb,
  logger,
}: Pick<WorkerContext, 'db' | 'holdDb' | 'logger'>): TryImport {
  /** Imports whose last try must be uncounted once the database is back. */
  const owed = new Set<string>()

  async function fail(id: string, code: string, row?: number): Promise<void> {
    await failImport(db, id, code, row)
    logger.info({ import_id: id, failure: code }, 'a file could not be imported')
  }

  async function tryOnce<T>(
    { id, state, signal }: { id: string; state: 'reading' | 'running'; signal: AbortSignal },
    work: () => Promise<T>,
  ): Promise<Tried<T>> {
    const tries = await countTry(db, id, state)
    if (tries === undefined) return { outcome: 'elsewhere' }
    if (tries > MOST_TRIES) {
      await fail(id, 'ended_worker')
      return { outcome: 'failed' }
    }
    try {
      const result = await work()
      if (signal.aborted) await takeBackTry(db, id)
      return { outcome: 'done', result }
    } catch (error) {
      if (error instanceof CsvFault) await fail(id, error.code, error.row)
      else if (isRefused(error)) await fail(id, 'refused')
      else if (error instanceof DatabaseError || isDatabaseAway(error)) {
        owed.add(id)
        throw error
      } else {
        logger.error({ import_id: id, failure: describeError(error), tries }, 'an import was broken off')
        if (tries === MOST_TRIES) await fail(id, 'ended_worker')
      }
      return { outcome: 'failed' }
    }
  }

  return async (given, work) => {
    for (const one of owed) {
      await takeBackTry(db, one)
      owed.delete(one)
    }
    const tried = await withImport(holdDb, given.id, () => tryOnce(given, work))
    return tried?.result ?? { outcome: 'elsewhere' }
  }
}

import { claimUndelivered } from '#core/data/market/sale/undelivered-leads.ts'
import { failpoint } from '#core/failpoints.ts'
import { settleUndelivered } from '#core/use-cases/market/settle-undelivered.ts'
import type { WorkerContext } from '#worker/context.ts'

const BATCH = 100

/**
 * Examines leads that have a finally failed delivery, and does what their orders ask for. PostgreSQL notes each such
 * lead with the failure (migrations/20261123004900-watch-undelivered.ts), so a crash loses none. One worker at a time
 * takes a note; examining a lead twice does no harm.
 */
export function createSettleUndelivered(
  context: Pick<WorkerContext, 'db' | 'market' | 'events' | 'logger'>,
): (signal: AbortSignal) => Promise<void> {
  const { db, market, events, logger } = context
  return async function settleAll(signal) {
    for (let claimed = BATCH; claimed === BATCH && !signal.aborted;) {
      const notes = await claimUndelivered(db, BATCH)
      claimed = notes.length
      for (const note of notes) {
        try {
          const { offered } = await settleUndelivered(market, note)
          if (offered === undefined) continue
          await failpoint('after-undelivered')
          await events.publish([offered], { mark: 'now' })
        } catch (error) {
          // This lead is examined again later; the others must not wait for it.
          logger.error(
            { err: error, assignment_id: note.assignment_id },
            'an undelivered lead was not settled',
          )
        }
      }
    }
  }
}

import type { Redrive, RedriveResult } from '#core/contract/operations/dead-letter.ts'
import {
  countRedrivable,
  redriveDeadLetters,
  type DeadLetterChoice,
} from '#core/data/operations/dead-letters.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { repeatOnConflict } from '../http/repeat-on-conflict.ts'

/**
 * Sends again what finally failed, for an administrator: each as a new delivery of the same event, told on the lead's
 * timeline. With `dry_run` only counts it.
 */
export async function redrive(
  context: ServerContext,
  caller: Principal,
  { ids, filter, dry_run: dryRun }: Redrive,
): Promise<RedriveResult> {
  const choice: DeadLetterChoice = ids === undefined ? { filter: filter ?? {} } : { ids }
  const counted = await countRedrivable(context.db, choice)
  if (dryRun) return counted
  const due = await repeatOnConflict(() =>
    context.db.transaction().execute((trx) => redriveDeadLetters(trx, choice, caller.user_id)),
  )
  context.logger.info({ by: caller.user_id, redriven: due.length }, 'dead letters sent again')
  context.announceDeliveries(due)
  return { count: due.length, switched_off: counted.switched_off }
}

import type { Redrive, RedriveResult } from '#core/contract/operations/dead-letter.ts'
import {
  countRedrivable,
  countRedriven,
  redriveDeadLetters,
  type DeadLetterChoice,
} from '#core/data/operations/dead-letters.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { createOnce } from '../http/create-once.ts'

/**
 * Sends again what finally failed, for an administrator: each as a new delivery of the same event, told on the lead's
 * timeline. With `dry_run` only counts it. A repeat under the same `Idempotency-Key` answers with what the first time sent:
 * by then some of it may have failed for good once more.
 */
export async function redrive(
  context: ServerContext,
  caller: Principal,
  { ids, filter, dry_run: dryRun }: Redrive,
  idempotencyKey: string | undefined,
): Promise<RedriveResult> {
  const choice: DeadLetterChoice = ids === undefined ? { filter: filter ?? {} } : { ids }
  const counted = await countRedrivable(context.db, choice)
  if (dryRun) return counted
  const asked = {
    user_id: caller.user_id,
    operation: 'dead_letters.redrive',
    key: idempotencyKey,
    content: JSON.stringify(choice),
  }
  let due: DueDelivery[] = []
  const { id, isNew } = await createOnce(context, asked, async (trx, redriveId) => {
    due = await redriveDeadLetters(trx, choice, caller.user_id, redriveId)
  })
  if (!isNew) return { count: await countRedriven(context.db, id), switched_off: counted.switched_off }
  context.logger.info({ by: caller.user_id, redriven: due.length }, 'dead letters sent again')
  context.announceDeliveries(due)
  return { count: due.length, switched_off: counted.switched_off }
}

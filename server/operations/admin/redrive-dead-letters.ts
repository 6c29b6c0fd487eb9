import { RESEND_LIMIT } from '#core/contract/webhooks/resend.ts'
import type { Redrive, RedriveResult } from '#core/contract/operations/dead-letter.ts'
import type { Db } from '#core/data/database.ts'
import {
  countPausedClients,
  countRedrivable,
  countRedriven,
  findRedrivePlace,
  redrivePiece,
  type DeadLetterChoice,
} from '#core/data/operations/dead-letters.ts'
import type { ReplayPiece, ReplayPlace } from '#core/data/webhooks/deliveries/replay-pieces.ts'
import { AppError } from '#core/errors.ts'
import type { OperatorContext } from '../../operator-context.ts'
import { auditChange, type By } from '../../market/audit-change.ts'
import { createOnce } from '../../http/create-once.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'

/**
 * Resends dead letters for an administrator: each as a new delivery of the same event, shown on the lead's timeline.
 * With `dry_run` it only counts them. A repeat with the same `Idempotency-Key` returns what the first call sent, even
 * if some of that has finally failed again. If the first call was interrupted, the repeat continues it. The chunks take
 * turns with those of clients' replays. If this server ends midway, deliveries that it has not reached are still dead
 * letters.
 * @throws AppError conflict if all of them are of clients whose sending is paused
 * @param client the client whose audit log tells it, if it concerns one alone
 */
export async function redrive(
  context: OperatorContext,
  by: By,
  { ids, filter, dry_run: dryRun, note }: Redrive,
  idempotencyKey: string | undefined,
  client?: string,
): Promise<RedriveResult> {
  const { caller } = by
  const choice: DeadLetterChoice = ids === undefined ? { filter: filter ?? {} } : { ids }
  const counted = await countRedrivable(context.db, choice)
  if (counted.count + counted.switched_off === 0) await refusePaused(context.db, choice)
  if (dryRun) return counted
  const asked = {
    user_id: caller.user_id,
    operation: 'dead_letters.redrive',
    key: idempotencyKey,
    content: JSON.stringify(choice),
  }
  let piece: ReplayPiece = { due: [], next: undefined }
  const take = async (trx: Db, redriveId: string, made = 0, after?: ReplayPlace): Promise<void> => {
    const redriven = { id: redriveId, administrator: caller.user_id, most: RESEND_LIMIT - made }
    piece = await redrivePiece(trx, choice, redriven, after)
  }
  const begin = async (trx: Db, redriveId: string): Promise<void> => {
    await take(trx, redriveId)
    // Another request may have resent them meanwhile.
    if (piece.due.length === 0 && piece.next === undefined) return
    const { count } = counted
    const details = {
      redrive_id: redriveId,
      count,
      ...(ids === undefined ? { filter } : { ids: ids.length }),
      note,
    }
    await auditChange(trx, by, {
      action: 'dead_letters_redriven',
      ...(client === undefined ? {} : { client }),
      details,
    })
  }
  const { id, isNew } = await context.admission.inReplayQueue(() => createOnce(context, asked, begin))
  if (!isNew) piece = { due: [], next: await findRedrivePlace(context.db, id) }
  let made = isNew ? piece.due.length : await countRedriven(context.db, id)
  context.announce.deliveries(piece.due)
  while (piece.next !== undefined && made < RESEND_LIMIT) {
    const { next } = piece
    await context.admission.inReplayQueue(() =>
      repeatOnConflict(() => context.db.transaction().execute((trx) => take(trx, id, made, next))),
    )
    made += piece.due.length
    context.announce.deliveries(piece.due)
  }
  context.logger.info({ by: caller.user_id, redriven: made }, 'dead letters sent again')
  return { count: made, switched_off: counted.switched_off }
}

async function refusePaused(db: Db, choice: DeadLetterChoice): Promise<void> {
  const clients = await countPausedClients(db, choice)
  if (clients === 0) return
  const whose = clients === 1 ? 'this client' : 'these clients'
  throw new AppError('conflict', `Sending to ${whose} is paused. Resume it first.`)
}

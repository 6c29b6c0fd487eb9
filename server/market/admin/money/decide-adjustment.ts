import type { PendingAdjustment } from '#core/contract/market/money/pending-adjustment.ts'
import type { Db } from '#core/data/database.ts'
import {
  decideAdjustment,
  findAdjustment,
  lockAdjustment,
  type StoredAdjustment,
} from '#core/data/market/money/pending-adjustments.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { judgeConfirming } from '#core/domain/market/judge-adjustment.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../../context.ts'
import { hasRecentFactor } from '../../../identity/data/recent-factor.ts'
import { auditChange, type By } from '../../audit-change.ts'
import { keyOf, postAdjustment, refuseOverdraft } from './adjust-balance.ts'
import { countOthers, showAdjustment } from './show-adjustments.ts'

/** Minutes for which a second factor counts as proven just now (docs/product.md §9). */
const FACTOR_MINUTES = 15

/**
 * Another administrator confirms an adjustment: the money moves now, once. The only administrator confirms the
 * own one with the second factor.
 * @throws AppError not_found; conflict if it is decided or expired, if the balance holds less, or for the own
 * adjustment or account; mfa_required
 */
export async function confirmAdjustment(
  context: Pick<ServerContext, 'db'>,
  by: By,
  id: string,
  note: string,
): Promise<PendingAdjustment> {
  return await decide(context, by, id, async (trx, found) => {
    const { client_user_id, asked_by_id: asked_by, kind, amount } = found
    const confirmed_by = await requireConfirming(trx, by, { client_user_id, asked_by })
    const move = { client_user_id, kind, amount, note: found.note, key: keyOf(id), asked_by }
    const action = await postAdjustment(trx, move)
    await decideAdjustment(trx, id, {
      status: 'confirmed',
      decided_by: by.caller.user_id,
      decision_note: note,
    })
    const details = { pending_adjustment_id: id, amount, confirmed_by, note }
    await auditChange(trx, by, { action, client: client_user_id, details })
  })
}

/** An administrator refuses an adjustment, or takes back the own one: nothing moves. @throws AppError */
export async function declineAdjustment(
  context: Pick<ServerContext, 'db'>,
  by: By,
  id: string,
  note: string,
): Promise<PendingAdjustment> {
  return await decide(context, by, id, async (trx, { client_user_id, amount }) => {
    await decideAdjustment(trx, id, {
      status: 'declined',
      decided_by: by.caller.user_id,
      decision_note: note,
    })
    const details = { pending_adjustment_id: id, client_user_id, amount, note }
    await auditChange(trx, by, { action: 'adjustment_declined', details })
  })
}

async function decide(
  { db }: Pick<ServerContext, 'db'>,
  by: By,
  id: string,
  act: (trx: Db, found: StoredAdjustment) => Promise<void>,
): Promise<PendingAdjustment> {
  await repeatOnConflict(() =>
    db.transaction().execute(async (trx) => {
      const found = await lockAdjustment(trx, id)
      if (found === undefined) throw notFound()
      if (found.status !== 'pending')
        throw new AppError('conflict', `This adjustment is ${found.status} already.`)
      await act(trx, found)
    }),
  ).catch(refuseOverdraft)
  const decided = await findAdjustment(db, id)
  if (decided === undefined) throw notFound()
  return await showAdjustment(db, by.caller, decided)
}

/** @returns what the audit log says of the confirmation */
async function requireConfirming(
  trx: Db,
  { caller: { user_id, session_id } }: By,
  adjustment: { client_user_id: string; asked_by: string },
): Promise<'another administrator' | 'the only administrator, with the second factor'> {
  const verdict = judgeConfirming(adjustment, { user_id, others: await countOthers(trx, user_id) })
  if (verdict === 'yes') return 'another administrator'
  if (verdict === 'no') {
    const isOwn = adjustment.client_user_id === user_id
    throw new AppError(
      'conflict',
      isOwn
        ? 'This is your own account: another administrator confirms its adjustments.'
        : 'You asked for this adjustment: another administrator confirms it.',
    )
  }
  if (await hasRecentFactor(trx, session_id, FACTOR_MINUTES))
    return 'the only administrator, with the second factor'
  throw new AppError(
    'mfa_required',
    'You are the only administrator. Enter the code of your second factor, then confirm again.',
  )
}

function notFound(): AppError {
  return new AppError('not_found', 'Adjustment not found')
}

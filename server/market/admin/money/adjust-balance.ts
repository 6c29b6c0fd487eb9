import type { LedgerEntry } from '#core/contract/market/money/ledger.ts'
import type { PayOut } from '#core/contract/market/money/pay-out.ts'
import type { AdjustmentKind, PendingAdjustment } from '#core/contract/market/money/pending-adjustment.ts'
import { listAdministrators } from '#core/data/accounts/list-administrators.ts'
import type { Db } from '#core/data/database.ts'
import { findClientAccount, isErased } from '#core/data/market/client-accounts.ts'
import { findEntry, isOverdrawn, postEntries } from '#core/data/market/ledger.ts'
import { findAdjustment, insertAdjustment } from '#core/data/market/money/pending-adjustments.ts'
import { sumRecentAdjustments } from '#core/data/market/money/recent-adjustments.ts'
import { queueMails } from '#core/data/outbox/mails.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { describePayOut } from '#core/domain/market/describe-pay-out.ts'
import { ADJUSTMENT_HOURS, needsSecondPerson } from '#core/domain/market/judge-adjustment.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../../context.ts'
import { createOnce } from '../../../http/create-once.ts'
import { auditChange, type By } from '../../audit-change.ts'
import { showAdjustment } from './show-adjustments.ts'

export interface Adjustment {
  client_user_id: string
  kind: AdjustmentKind
  /** signed dollars */
  amount: string
  /** the client reads it */
  note: string
}

/** The result: an entry, or a pending adjustment that has moved nothing. */
export type Adjusted = { entry: LedgerEntry } | { pending: PendingAdjustment }

/**
 * An administrator adds money to a client's balance, or removes some, and gives a reason. Above the limit, and
 * for the administrator's own account, it waits for another administrator.
 * @throws AppError not_found; conflict if the balance holds less, for an erased account, or if the only
 * administrator asks for the own account
 */
export async function adjustBalance(
  context: ServerContext,
  by: By,
  clientId: string,
  { amount, note }: { amount: string; note: string },
  key: string | undefined,
): Promise<Adjusted> {
  const adjustment = { client_user_id: clientId, kind: 'adjustment' as const, amount, note }
  return await move(context, by, adjustment, { amount, note }, key)
}

/**
 * An administrator has paid money out to a client, or will: it leaves the balance. The same limit holds as for an
 * adjustment.
 * @throws AppError not_found; conflict if the balance holds less, or if the only administrator asks for the own account
 */
export async function payOutBalance(
  context: ServerContext,
  by: By,
  clientId: string,
  payOut: PayOut,
  key: string | undefined,
): Promise<Adjusted> {
  const amount = formatCents(-requireCents(payOut.amount))
  const paid = { client_user_id: clientId, kind: 'pay_out' as const, amount, note: describePayOut(payOut) }
  return await move(context, by, paid, { ...payOut, amount }, key)
}

/** @param details for the audit log, in the same words for the same request */
async function move(
  context: ServerContext,
  by: By,
  adjustment: Adjustment,
  details: Record<string, string>,
  key: string | undefined,
): Promise<Adjusted> {
  const { db, config } = context
  const { client_user_id: clientId, kind, amount, note } = adjustment
  if ((await findClientAccount(db, clientId)) === undefined)
    throw new AppError('not_found', 'Client not found')
  const content = JSON.stringify([clientId, amount, note])
  const isOwn = clientId === by.caller.user_id
  const { id } = await createOnce(
    context,
    { user_id: by.caller.user_id, operation: kind, key, content },
    async (trx, newId) => {
      const recent = await sumRecentAdjustments(trx, {
        by: by.caller.user_id,
        client: clientId,
        hours: ADJUSTMENT_HOURS,
      })
      if (needsSecondPerson({ amount, recent, isOwn }, config.adjustmentLimit))
        await askSecondPerson(trx, by, { ...adjustment, id: newId }, details)
      else {
        const action = await postAdjustment(trx, {
          ...adjustment,
          key: keyOf(newId),
          asked_by: by.caller.user_id,
        })
        await auditChange(trx, by, { action, client: clientId, details })
      }
    },
  ).catch(refuseOverdraft)
  const stored = await findAdjustment(db, id)
  if (stored !== undefined) return { pending: await showAdjustment(db, by.caller, stored) }
  const entry = await findEntry(db, keyOf(id))
  if (entry === undefined) throw new AppError('not_found', 'Entry not found')
  return { entry }
}

/**
 * Moves the money of an adjustment. The balance of an erased account can only be paid out.
 * @returns the action for the audit log
 */
export async function postAdjustment(
  trx: Db,
  adjustment: Adjustment & { key: string; asked_by: string },
): Promise<'balance_adjusted' | 'balance_paid_out'> {
  const { client_user_id, kind, amount, note, key, asked_by } = adjustment
  const adjusts = requireCents(amount) > 0 ? 'manual_credit' : 'manual_debit'
  const entry_type = kind === 'pay_out' ? 'refund_out' : adjusts
  await postEntries(trx, [
    { client_user_id, entry_type, amount, note, created_by: asked_by, idempotency_key: key },
  ])
  // Checked after the balance is locked: a concurrent erasure has finished by then, or waits.
  if (kind === 'adjustment' && (await isErased(trx, client_user_id)))
    throw new AppError('conflict', 'This account was erased: its balance can only be paid out.')
  return kind === 'pay_out' ? 'balance_paid_out' : 'balance_adjusted'
}

/** @throws AppError conflict for entries that the balance does not cover; any other error as it is */
export function refuseOverdraft(error: unknown): never {
  if (isOverdrawn(error)) throw new AppError('conflict', 'The balance holds less than this amount.')
  throw error
}

/** The key of the ledger's entry: an adjustment moves its money once. */
export const keyOf = (id: string): string => `adjustment:${id}`

async function askSecondPerson(
  trx: Db,
  by: By,
  adjustment: Adjustment & { id: string },
  details: Record<string, string>,
): Promise<void> {
  const { id, client_user_id, kind, amount } = adjustment
  const asked_by = by.caller.user_id
  const others = (await listAdministrators(trx, 'money')).filter((admin) => admin !== asked_by)
  if (client_user_id === asked_by && others.length === 0)
    throw new AppError('conflict', 'Only another administrator can adjust your account, and there is none.')
  const expires_at = (await insertAdjustment(trx, { ...adjustment, asked_by })).toISOString()
  // Without an account in the row: its owner would read of money that has not moved.
  await auditChange(trx, by, {
    action: 'adjustment_asked',
    details: { pending_adjustment_id: id, client_user_id, kind, ...details },
  })
  await queueMails(
    trx,
    others.map((recipient_user_id) => ({
      template: 'adjustment_waits' as const,
      data: { amount, expires_at },
      recipient_user_id,
      notice_key: id,
    })),
  )
}

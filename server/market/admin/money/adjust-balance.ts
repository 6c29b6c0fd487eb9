import type { LedgerEntry } from '#core/contract/market/money/ledger.ts'
import type { PendingAdjustment } from '#core/contract/market/money/pending-adjustment.ts'
import { listAdministrators } from '#core/data/accounts/list-administrators.ts'
import type { Db } from '#core/data/database.ts'
import { findClientAccount, isErased } from '#core/data/market/client-accounts.ts'
import { findEntry, isOverdrawn, postEntries } from '#core/data/market/ledger.ts'
import { findAdjustment, insertAdjustment } from '#core/data/market/money/pending-adjustments.ts'
import { sumRecentAdjustments } from '#core/data/market/money/recent-adjustments.ts'
import { queueMails } from '#core/data/outbox/mails.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { ADJUSTMENT_HOURS, needsSecondPerson } from '#core/domain/market/judge-adjustment.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../../context.ts'
import { createOnce } from '../../../http/create-once.ts'
import { auditChange, type By } from '../../audit-change.ts'
import { showAdjustment } from './show-adjustments.ts'

export interface Adjustment {
  client_user_id: string
  /** signed dollars */
  amount: string
  note: string
}

/** The result: an entry, or a pending adjustment that has moved nothing. */
export type Adjusted = { entry: LedgerEntry } | { pending: PendingAdjustment }

/**
 * An administrator adds money to a client's balance, or removes some, and gives a reason. Above the limit, and
 * for the administrator's own account, it waits for another administrator.
 * @throws AppError not_found; conflict if the balance holds less, if money is added to an erased account, or if
 * the only administrator asks for the own account
 */
export async function adjustBalance(
  context: ServerContext,
  by: By,
  clientId: string,
  { amount, note }: { amount: string; note: string },
  key: string | undefined,
): Promise<Adjusted> {
  const { db, config } = context
  if ((await findClientAccount(db, clientId)) === undefined)
    throw new AppError('not_found', 'Client not found')
  const content = JSON.stringify([clientId, amount, note])
  const isOwn = clientId === by.caller.user_id
  const adjustment = { client_user_id: clientId, amount, note }
  const { id } = await createOnce(
    context,
    { user_id: by.caller.user_id, operation: 'adjustment', key, content },
    async (trx, newId) => {
      const recent = await sumRecentAdjustments(trx, {
        by: by.caller.user_id,
        client: clientId,
        hours: ADJUSTMENT_HOURS,
      })
      if (needsSecondPerson({ amount, recent, isOwn }, config.adjustmentLimit))
        await askSecondPerson(trx, by, { ...adjustment, id: newId })
      else {
        const action = await postAdjustment(trx, {
          ...adjustment,
          key: keyOf(newId),
          asked_by: by.caller.user_id,
        })
        await auditChange(trx, by, { action, client: clientId, details: { amount, note } })
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
 * Moves the money of an adjustment. Money taken off an erased account's balance is paid out.
 * @returns the action for the audit log
 */
export async function postAdjustment(
  trx: Db,
  adjustment: Adjustment & { key: string; asked_by: string },
): Promise<'balance_adjusted' | 'balance_paid_out'> {
  const { client_user_id, amount, note, key, asked_by } = adjustment
  const entry_type = requireCents(amount) > 0 ? 'manual_credit' : 'manual_debit'
  await postEntries(trx, [
    { client_user_id, entry_type, amount, note, created_by: asked_by, idempotency_key: key },
  ])
  // Checked after the balance is locked: a concurrent erasure has finished by then, or waits.
  const isPaidOut = await isErased(trx, client_user_id)
  if (isPaidOut && entry_type === 'manual_credit')
    throw new AppError('conflict', 'This account was erased: its balance can only be paid out.')
  return isPaidOut ? 'balance_paid_out' : 'balance_adjusted'
}

/** @throws AppError conflict for entries that the balance does not cover; any other error as it is */
export function refuseOverdraft(error: unknown): never {
  if (isOverdrawn(error)) throw new AppError('conflict', 'The balance holds less than this amount.')
  throw error
}

/** The key of the ledger's entry: an adjustment moves its money once. */
export const keyOf = (id: string): string => `adjustment:${id}`

async function askSecondPerson(trx: Db, by: By, adjustment: Adjustment & { id: string }): Promise<void> {
  const { id, client_user_id, amount, note } = adjustment
  const asked_by = by.caller.user_id
  const others = (await listAdministrators(trx, 'money')).filter((admin) => admin !== asked_by)
  if (client_user_id === asked_by && others.length === 0)
    throw new AppError('conflict', 'Only another administrator can adjust your account, and there is none.')
  const expires_at = (await insertAdjustment(trx, { ...adjustment, asked_by })).toISOString()
  // Without an account in the row: its owner would read of money that has not moved.
  const details = { pending_adjustment_id: id, client_user_id, amount, note }
  await auditChange(trx, by, { action: 'adjustment_asked', details })
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

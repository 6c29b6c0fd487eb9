import type { LedgerEntry } from '#core/contract/market/ledger.ts'
import { findClientAccount, isErased } from '#core/data/market/client-accounts.ts'
import { findEntry, isOverdrawn, postEntries } from '#core/data/market/ledger.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { createOnce } from '../../http/create-once.ts'
import { auditChange, type By } from '../audit-change.ts'

/**
 * An administrator adds money to a client's balance, or removes some, and gives a reason. Money removed from
 * an erased account's balance is paid out.
 * @throws AppError not_found; conflict if the balance holds less, or if money is added to an erased account
 */
export async function adjustBalance(
  context: ServerContext,
  by: By,
  clientId: string,
  { amount, note }: { amount: string; note: string },
  key: string | undefined,
): Promise<LedgerEntry> {
  if ((await findClientAccount(context.db, clientId)) === undefined)
    throw new AppError('not_found', 'Client not found')
  const content = JSON.stringify([clientId, amount, note])
  const { id } = await createOnce(
    context,
    { user_id: by.caller.user_id, operation: 'adjustment', key, content },
    async (trx, newId) => {
      const entry_type = requireCents(amount) > 0 ? 'manual_credit' : 'manual_debit'
      const entry = { client_user_id: clientId, entry_type, amount, note, created_by: by.caller.user_id }
      await postEntries(trx, [{ ...entry, idempotency_key: keyOf(newId) }])
      // Checked after the balance is locked: a concurrent erasure has finished by then, or waits.
      const isPaidOut = await isErased(trx, clientId)
      if (isPaidOut && entry_type === 'manual_credit')
        throw new AppError('conflict', 'This account was erased: its balance can only be paid out.')
      const action = isPaidOut ? 'balance_paid_out' : 'balance_adjusted'
      await auditChange(trx, by, { action, client: clientId, details: { amount, note } })
    },
  ).catch((error: unknown) => {
    if (isOverdrawn(error)) throw new AppError('conflict', 'The balance holds less than this amount.')
    throw error
  })
  const entry = await findEntry(context.db, keyOf(id))
  if (entry === undefined) throw new AppError('not_found', 'Entry not found')
  return entry
}

const keyOf = (id: string): string => `adjustment:${id}`

import type { Db } from '#core/data/database.ts'
import { stopRecharge } from '#core/data/market/auto-recharge.ts'
import { postEntries, type NewEntry } from '#core/data/market/ledger.ts'
import { changeReversal, listReversals, type StoredReversal } from '#core/data/market/payment-reversals.ts'
import { tellClient } from '#core/data/market/tell-client.ts'
import type { StoredPayment } from '#core/data/market/payments.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { dueOfReversal } from '#core/domain/market/judge-reversal.ts'

type Kind = 'chargeback' | 'chargeback_reversal' | 'refund_out'

/**
 * Brings the ledger to what the provider has told of a payment's money going back, in the transaction that holds the payment. What was
 * never credited is not taken off.
 * @returns how many entries that took
 */
export async function settleReversals(
  trx: Db,
  { payment, client_user_id, provider_intent_id }: StoredPayment,
): Promise<number> {
  const of = { payment_id: payment.id, intent_id: provider_intent_id }
  const entries: (NewEntry & { entry_type: Kind })[] = []
  for (const reversal of await listReversals(trx, of)) {
    const due = dueOfReversal({ state: reversal.state, amount: requireCents(reversal.amount) })
    const moved = requireCents(reversal.taken) - due
    await changeReversal(trx, reversal.id, { payment_id: payment.id, taken: formatCents(due) })
    if (moved === 0) continue
    entries.push({
      client_user_id,
      ...describe(reversal, moved),
      amount: formatCents(moved),
      reference_type: 'payment',
      reference_id: payment.id,
      idempotency_key: `reversal:${reversal.id}:${formatCents(due)}`,
    })
  }
  // Or it would charge again for what was taken back.
  if (entries.some(({ entry_type }) => entry_type !== 'chargeback_reversal'))
    await stopRecharge(trx, client_user_id, 'A payment went back to whoever paid it.')
  for (const entry of entries) {
    const [posted] = await postEntries(trx, [entry])
    if (posted === undefined) continue
    const amount = formatCents(Math.abs(requireCents(posted.amount)))
    const data = { payment_id: payment.id, entry: entry.entry_type, amount, balance: posted.balance_after }
    await tellClient(trx, client_user_id, { template: 'payment_reversed', data }, posted.id)
  }
  return entries.length
}

function describe({ kind }: StoredReversal, moved: number): { entry_type: Kind; note: string } {
  if (kind === 'refund') return { entry_type: 'refund_out', note: 'Paid back to the way it was paid by' }
  return moved < 0
    ? { entry_type: 'chargeback', note: 'A payment was disputed at the bank that paid it' }
    : { entry_type: 'chargeback_reversal', note: 'The dispute of a payment was decided for you' }
}

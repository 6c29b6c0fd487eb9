import type { Db } from '#core/data/database.ts'
import { isErased } from '#core/data/market/client-accounts.ts'
import { postEntries } from '#core/data/market/ledger.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { changePayment, type StoredPayment } from '#core/data/market/payments/payments.ts'
import { settleReversals } from './settle-reversals.ts'

/**
 * Marks a payment as received and credits it to the client's balance, in the transaction that holds its row; money that
 * was already returned is debited again. An erased account is credited nothing: its payment waits, with a note. The
 * ledger takes one entry for each payment, so a second call credits nothing.
 * @param by the administrator who confirms the payment; null means the provider
 * @param came dollars received, if they differ from the requested amount
 */
export async function creditPayment(
  trx: Db,
  found: StoredPayment,
  { by, note, came = found.payment.amount }: { by: string | null; note: string | null; came?: string },
): Promise<'credited' | 'flagged'> {
  const { client_user_id } = found
  const payment = { ...found.payment, amount: came }
  if (await isErased(trx, client_user_id)) {
    await changePayment(trx, payment.id, { status: 'pending', failure: CAME_AFTER_ERASURE })
    return 'flagged'
  }
  await changePayment(trx, payment.id, {
    status: 'received',
    ...(came !== found.payment.amount && { amount: came, asked_amount: found.payment.amount }),
    failure: null,
    note: note ?? payment.note,
    decided_by: by,
    isDecided: true,
  })
  const [entry] = await postEntries(trx, [
    {
      client_user_id,
      entry_type: payment.kind,
      amount: payment.amount,
      reference_type: 'payment',
      reference_id: payment.id,
      note,
      created_by: by,
    },
  ])
  const { id, kind, amount } = payment
  const data = { payment_id: id, kind, amount, balance: entry?.balance_after ?? amount }
  await tellClient(trx, client_user_id, { template: 'payment_received', data }, id)
  await settleReversals(trx, { ...found, payment: { ...payment, failure: null } })
  return 'credited'
}

const CAME_AFTER_ERASURE =
  'The money came after the account was erased. Nothing was credited; an administrator decides.'

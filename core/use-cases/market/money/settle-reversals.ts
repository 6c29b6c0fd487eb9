import type { Db } from '#core/data/database.ts'
import { postEntries, type NewEntry } from '#core/data/market/ledger.ts'
import {
  changeReversal,
  listReversals,
  type StoredReversal,
} from '#core/data/market/payments/payment-reversals.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { changePayment, type StoredPayment } from '#core/data/market/payments/payments.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { dueOfReversal, shareTaken } from '#core/domain/market/payments/judge-reversal.ts'
import { endRecharge } from './end-recharge.ts'

type Kind = 'chargeback' | 'chargeback_reversal' | 'refund_out' | 'correction'
const TAKEN_OFF: ReadonlySet<Kind> = new Set(['chargeback', 'refund_out'])
interface Move {
  entry: NewEntry & { entry_type: Kind }
  said: Exclude<Kind, 'correction'> | 'chargeback_lowered' | 'refund_failed'
}

/**
 * Brings the ledger in line with what the provider reports about returned money of a payment, in the transaction that
 * locks the payment and so its reversals. `taken` alone says how much is debited. Money that was never credited is not
 * debited; if more was returned than that, an administrator must decide.
 */
export async function settleReversals(
  trx: Db,
  { payment, client_user_id, provider_intent_id }: StoredPayment,
): Promise<'nothing' | 'moved' | 'flagged'> {
  const reversals = await listReversals(trx, { payment_id: payment.id, intent_id: provider_intent_id })
  const { taken, excess } = shareTaken(
    requireCents(payment.amount),
    reversals.map((reversal) => ({
      due: isOurs(reversal) ? dueOf(reversal) : 0,
      taken: requireCents(reversal.taken),
    })),
  )
  const moves: Move[] = []
  for (const [index, reversal] of reversals.entries()) {
    const now = taken[index] ?? 0
    const moved = requireCents(reversal.taken) - now
    await changeReversal(trx, reversal.id, { payment_id: payment.id, taken: formatCents(now) })
    if (moved === 0) continue
    const { note, said, entry_type } = describe(reversal, moved)
    const of = { client_user_id, reference_type: 'payment', reference_id: payment.id }
    moves.push({ entry: { ...of, entry_type, note, amount: formatCents(moved) }, said })
  }
  const foreign = reversals.filter((reversal) => !isOurs(reversal) && dueOf(reversal) > 0)
  // Otherwise the auto-recharge would charge again for the debited money.
  if (foreign.length > 0 || moves.some(({ entry }) => TAKEN_OFF.has(entry.entry_type)))
    await endRecharge(
      trx,
      client_user_id,
      'A payment went back to whoever paid it.',
      `${payment.id}-${taken.reduce((sum, cents) => sum + cents, 0)}`,
    )
  for (const { entry, said } of moves) {
    const [posted] = await postEntries(trx, [entry])
    if (posted === undefined) continue
    const amount = formatCents(Math.abs(requireCents(posted.amount)))
    const data = { payment_id: payment.id, entry: said, amount, balance: posted.balance_after }
    await tellClient(trx, client_user_id, { template: 'payment_reversed', data }, posted.id)
  }
  if (await flag(trx, payment, excess, foreign)) return 'flagged'
  return moves.length === 0 ? 'nothing' : 'moved'
}

const isOurs = ({ currency }: StoredReversal): boolean => currency === 'usd'
const dueOf = ({ state, amount, failed }: StoredReversal): number =>
  dueOfReversal({ state, amount: requireCents(amount) }, requireCents(failed))

/**
 * Notes at the payment that more was returned than was credited, or something in another currency, while that is the
 * case.
 * @returns whether the note is new
 */
async function flag(
  trx: Db,
  { id, failure }: StoredPayment['payment'],
  excess: number,
  foreign: readonly StoredReversal[],
): Promise<boolean> {
  const parts = foreign.map(
    ({ kind, currency }) =>
      `The provider reports a ${kind} in ${currency.toUpperCase()}. Nothing was taken off for it; an administrator looks at it.`,
  )
  if (excess > 0)
    parts.unshift(
      `The provider reports ${formatCents(excess)} USD more going back than was credited. That was not taken off; an administrator looks at it.`,
    )
  const says = parts.length === 0 ? null : [...new Set(parts)].slice(0, 2).join(' ')
  if (says === failure) return false
  await changePayment(trx, id, { failure: says })
  return says !== null
}

function describe(
  { kind, state }: StoredReversal,
  moved: number,
): { entry_type: Kind; note: string } & Pick<Move, 'said'> {
  if (kind === 'refund' && moved > 0)
    return { entry_type: 'correction', said: 'refund_failed', note: 'A refund failed: its money is back' }
  if (kind === 'refund')
    return { entry_type: 'refund_out', said: 'refund_out', note: 'Paid back to the way it was paid by' }
  if (moved < 0)
    return {
      entry_type: 'chargeback',
      said: 'chargeback',
      note: 'A payment was disputed at the bank that paid it',
    }
  return state === 'won'
    ? {
        entry_type: 'chargeback_reversal',
        said: 'chargeback_reversal',
        note: 'The dispute of a payment was decided for you',
      }
    : {
        entry_type: 'chargeback_reversal',
        said: 'chargeback_lowered',
        note: 'The dispute of a payment is about less than before',
      }
}

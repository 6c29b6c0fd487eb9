import { requireCents } from '#core/domain/market/cents.ts'

/** The fields of a ledger's entry that make up its chain. */
export interface ChainLink {
  amount: string
  balance_after: string
  /** left out for an entry that may not bring a balance below zero */
  entry_type?: string
  reference_type?: string | null
}

/** Money that the payment provider took back is debited even if the balance is too small. */
const makesDebt = ({ entry_type, reference_type }: ChainLink): boolean =>
  entry_type === 'chargeback' || (entry_type === 'refund_out' && reference_type === 'payment')

/**
 * Finds the break in a client's ledger: the first entry, in order, whose balance is not the balance before it plus its
 * amount, or that debits more than there is without being allowed to. Undefined if there is none; the last
 * `balance_after` is then the sum of all amounts.
 */
export function findBreak(entries: readonly ChainLink[]): number | undefined {
  let before = 0
  for (const [index, entry] of entries.entries()) {
    const after = requireCents(entry.balance_after)
    const moved = requireCents(entry.amount)
    const isOverdrawn = after < 0 && moved < 0 && !makesDebt(entry)
    if (isOverdrawn || after !== before + moved) return index
    before = after
  }
  return undefined
}

import { requireCents } from '#core/domain/market/cents.ts'

/** The fields of a ledger's entry that make up its chain. */
export interface ChainLink {
  amount: string
  balance_after: string
  /** left out for an entry that may not bring a balance below zero */
  entry_type?: string
}

/** Money that the payment provider took back is debited even if the balance is too small. */
const MAKES_DEBT = new Set(['chargeback', 'refund_out'])

/**
 * Finds the break in a client's ledger: the first entry, in order, whose balance is not the balance before it plus its
 * amount, or that debits more than there is without being allowed to. Undefined if there is none; the last
 * `balance_after` is then the sum of all amounts.
 */
export function findBreak(entries: readonly ChainLink[]): number | undefined {
  let before = 0
  for (const [index, { amount, balance_after, entry_type = '' }] of entries.entries()) {
    const after = requireCents(balance_after)
    const moved = requireCents(amount)
    const isOverdrawn = after < 0 && moved < 0 && !MAKES_DEBT.has(entry_type)
    if (isOverdrawn || after !== before + moved) return index
    before = after
  }
  return undefined
}

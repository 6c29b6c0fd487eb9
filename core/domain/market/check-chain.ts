import { requireCents } from './cents.ts'

/** As much of a ledger's entry as its chain is made of. */
export interface ChainLink {
  amount: string
  balance_after: string
  /** left out: one that may not bring a balance below zero */
  entry_type?: string
}

/** What the payment provider took back is gone, whatever the balance holds. */
const MAKES_DEBT = new Set(['chargeback', 'refund_out'])

/**
 * Where a client's ledger breaks: the first entry, in order, whose balance is not the one before it and its amount, or that takes
 * off more than there is and may not. Undefined of a chain that holds; its last `balance_after` is then the sum of all amounts.
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

import { requireCents } from './cents.ts'

/** As much of a ledger's entry as its chain is made of. */
export interface ChainLink {
  amount: string
  balance_after: string
}

/**
 * Where a client's ledger breaks: the first entry, in order, whose balance is not the one before it and its amount, or is negative.
 * Undefined of a chain that holds; its last `balance_after` is then the sum of all amounts.
 */
export function findBreak(entries: readonly ChainLink[]): number | undefined {
  let before = 0
  for (const [index, { amount, balance_after }] of entries.entries()) {
    const after = requireCents(balance_after)
    if (after < 0 || after !== before + requireCents(amount)) return index
    before = after
  }
  return undefined
}

import type { PayOut, PayOutMethod } from '#core/contract/market/money/pay-out.ts'

/** The methods in words, after 'By'. */
export const PAY_OUT_WORDS: Readonly<Record<PayOutMethod, string>> = {
  bank_transfer: 'bank transfer',
  check: 'check',
  card: 'card',
  other: 'other means',
}

/** The note of the ledger's entry: how the money was paid, its reference, and why. At most 500 characters. */
export function describePayOut({ method, reference, note }: Omit<PayOut, 'amount'>): string {
  return `By ${PAY_OUT_WORDS[method]}, reference ${reference}: ${note}`
}

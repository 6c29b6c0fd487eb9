import { z } from 'zod'

/** Dollars in an answer: a string with exactly two decimals, so that no float touches money. */
export const moneySchema = z.string().regex(/^-?\d+\.\d{2}$/)

const AMOUNT = /^-?(?:0|[1-9]\d{0,12})(?:\.\d{1,2})?$/

/**
 * Dollars in a body: a string or a number with at most two decimals, read as a string with exactly two. The limits
 * `least` and `most` are in dollars and inclusive.
 */
export function amountSchema(least: number, most: number) {
  const error = `Must be an amount from ${show(least)} to ${show(most)} with at most two decimals`
  return z
    .union([z.string(), z.number()], { error })
    .transform((given) => String(given))
    .refine((text) => AMOUNT.test(text) && Number(text) >= least && Number(text) <= most, { error })
    .transform(withTwoDecimals)
}

function withTwoDecimals(amount: string): string {
  const [dollars = '0', decimals = ''] = amount.split('.')
  const text = `${dollars}.${decimals.padEnd(2, '0')}`
  return text === '-0.00' ? '0.00' : text
}

function show(dollars: number): string {
  return dollars.toLocaleString('en-US')
}

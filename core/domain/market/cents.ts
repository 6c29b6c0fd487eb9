/**
 * At most 13 digits before the point: such an amount in cents is a safe integer, and more than numeric(12, 2) holds.
 */
const AMOUNT = /^(-?)(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$/

/**
 * Dollars as integer cents: `'25.00'` and `25` are 2500. Undefined if it is not a plainly written amount with at most
 * two decimals: no sign but a minus, no spaces, no exponent, no leading zero.
 */
export function parseCents(amount: string | number): number | undefined {
  const [, sign, dollars, decimals = ''] = AMOUNT.exec(String(amount)) ?? []
  if (dollars === undefined) return undefined
  const cents = Number(dollars) * 100 + Number(decimals.padEnd(2, '0'))
  return sign === '-' && cents !== 0 ? -cents : cents
}

/**
 * The same as {@link parseCents} for values that the database or a schema has checked.
 * @throws if it is no amount after all
 */
export function requireCents(amount: string | number): number {
  const cents = parseCents(amount)
  if (cents === undefined) throw new Error('Not an amount of dollars and cents')
  return cents
}

/**
 * Cents as dollars with exactly two decimals, as in JSON and SQL: 2500 is `'25.00'`.
 * @param cents a safe integer
 */
export function formatCents(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError('Cents are whole')
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

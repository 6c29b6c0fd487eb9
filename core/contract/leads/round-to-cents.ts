/**
 * Rounds dollars to cents as they are written, half a cent away from zero: 1.005 becomes 1.01, although the double that
 * represents it is slightly less.
 * @param amount a number, or its text as JSON writes numbers
 */
export function roundToCents(amount: number | string): number {
  const written = String(amount)
  const [, sign = '', dollars, cents, next = ''] = /^(-?)(\d+)\.(\d\d)(\d)\d*$/.exec(written) ?? []
  if (dollars === undefined) {
    const number = Number(written)
    if (typeof amount === 'string' && /e/i.test(amount)) return roundToCents(number)
    // A number with an exponent is either this small, or so large that it has no cents.
    return Math.abs(number) < 0.005 ? 0 : number
  }
  const whole = Number(`${dollars}${cents}`) + (next >= '5' ? 1 : 0)
  return whole === 0 ? 0 : Number(`${sign}${whole}`) / 100
}

/**
 * Dollars rounded to cents as the number is written, half a cent away from zero: 1.005 is 1.01, though the double that stands for it
 * is a little less.
 */
export function roundToCents(amount: number): number {
  // So small a number may be written with an exponent; a large one that is has no cents.
  if (Math.abs(amount) < 0.005) return 0
  const [, dollars, cents, next = ''] = /^(-?\d+)\.(\d\d)(\d)\d*$/.exec(String(amount)) ?? []
  if (dollars === undefined) return amount
  const whole = Number(`${dollars}${cents}`)
  return (next >= '5' ? whole + Math.sign(amount) : whole) / 100
}

/**
 * Money in the payment provider's report: "50.00 USD".
 * @param amount in the smallest unit of its currency
 * @param currency of ISO 4217, in any case
 */
export function sayReported(amount: number | null, currency: string | null): string {
  const code = currency?.toUpperCase() ?? ''
  if (amount === null) return `no amount ${code}`
  const decimals = decimalsOf(code)
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const whole = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return `${amount < 0 ? '-' : ''}${whole} ${code}`.trim()
}

function decimalsOf(code: string): number {
  if (!/^[A-Z]{3}$/.test(code)) return 0
  const { maximumFractionDigits } = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: code,
  }).resolvedOptions()
  return maximumFractionDigits ?? 2
}

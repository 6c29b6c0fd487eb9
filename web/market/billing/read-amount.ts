import { formatCents, parseCents } from '#core/domain/market/cents.ts'

/** Converts typed dollars ("$1,000", "250.5") to the API's form ("1000.00"); undefined if it is no amount. */
export function readAmount(text: string): string | undefined {
  const plain = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/(?<=\d),(?=\d{3}(?:,|\.|$))/g, '')
  const cents = parseCents(plain)
  return cents === undefined || cents < 0 ? undefined : formatCents(cents)
}

/** Returns the error of an amount that must be from `least` to `most` dollars; undefined if it is valid. */
export function findAmountFault(text: string, least: number, most: number): string | undefined {
  const amount = readAmount(text)
  if (amount === undefined) return 'Enter dollars, with at most two decimals'
  if (Number(amount) < least) return `Must be at least $${least.toLocaleString('en-US')}`
  return Number(amount) > most ? `Must be at most $${most.toLocaleString('en-US')}` : undefined
}

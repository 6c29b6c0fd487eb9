const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats the API's decimal string as "$1,234.50" without a float (docs/product.md §9, balance display). */
export function formatMoney(amount: string) {
  return USD.format(amount as `${number}`)
}

/** Says what a return pays back: "$25.00", or that a late credit has left nothing. */
export function sayRest(amount: string) {
  return Number(amount) > 0 ? formatMoney(amount) : 'nothing more'
}

const WHOLE = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** Formats whole dollars: "$25,000". */
export function formatDollars(amount: number) {
  return WHOLE.format(amount)
}

const SIGNED = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  signDisplay: 'exceptZero',
})

/** Formats a change of a balance: "+$250.00", "-$25.00". */
export function formatMovement(amount: string) {
  // The typographic minus aligns with the figures; a hyphen does not.
  return SIGNED.format(amount as `${number}`).replace('-', '−')
}

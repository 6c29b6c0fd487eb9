const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** "$1,234.50" from the API's decimal string, without a float on the way (docs/product.md §9, balance display). */
export function formatMoney(amount: string) {
  return USD.format(amount as `${number}`)
}

const WHOLE = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** "$25,000", for amounts that are given in whole dollars. */
export function formatDollars(amount: number) {
  return WHOLE.format(amount)
}

const SIGNED = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  signDisplay: 'exceptZero',
})

/** "+$250.00", "-$25.00": what a balance was moved by. */
export function formatMovement(amount: string) {
  // The minus of typesetting stands on the line of the figures.
  return SIGNED.format(amount as `${number}`).replace('-', '−')
}

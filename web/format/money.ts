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

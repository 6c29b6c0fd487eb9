/** The reader's zone is unknown, so moments are shown in UTC and say so. */
export function showMoment(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}

const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** `'1234.5'` is "$1,234.50". */
export function showDollars(amount: string): string {
  return USD.format(amount as `${number}`)
}

/** "1 delivery", "12 deliveries". */
export function countOf(count: number, noun: string): string {
  const many = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : many}`
}

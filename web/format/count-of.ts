/** Returns "1 delivery" or "12 deliveries"; with `more`, counting stopped there: "10,000+ deliveries". */
export function countOf(count: number, noun: string, more = false) {
  return `${formatCount(count, more)} ${count === 1 && !more ? noun : plural(noun)}`
}

/** Returns "10,000", or "10,000+" if counting stopped there. */
export function formatCount(count: number, more = false) {
  return `${count.toLocaleString('en-US')}${more ? '+' : ''}`
}

/**
 * Returns for example "7%". A part above zero is never shown as 0%, and a part above the whole is shown as
 * 100%.
 */
export function formatShare(part: number, whole: number) {
  const percent = (100 * part) / whole
  return percent > 0 && percent < 1 ? '< 1%' : `${Math.min(100, Math.round(percent))}%`
}

function plural(noun: string) {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

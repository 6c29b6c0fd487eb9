/** "1 delivery", "12 deliveries"; `more` where counting stopped there: "10,000+ deliveries". */
export function countOf(count: number, noun: string, more = false) {
  return `${formatCount(count, more)} ${count === 1 && !more ? noun : plural(noun)}`
}

/** "10,000", or "10,000+" where counting stopped there. */
export function formatCount(count: number, more = false) {
  return `${count.toLocaleString('en-US')}${more ? '+' : ''}`
}

/** "7%": what is more than nothing is never 0%, and what is more than the whole is all of it. */
export function formatShare(part: number, whole: number) {
  const percent = (100 * part) / whole
  return percent > 0 && percent < 1 ? '< 1%' : `${Math.min(100, Math.round(percent))}%`
}

function plural(noun: string) {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

/** "1 delivery", "12 deliveries"; `more` where counting stopped there: "10,000+ deliveries". */
export function countOf(count: number, noun: string, more = false) {
  return `${formatCount(count, more)} ${count === 1 && !more ? noun : plural(noun)}`
}

/** "10,000", or "10,000+" where counting stopped there. */
export function formatCount(count: number, more = false) {
  return `${count.toLocaleString('en-US')}${more ? '+' : ''}`
}

function plural(noun: string) {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

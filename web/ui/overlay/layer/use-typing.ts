import { useRef } from 'react'

/** Letters typed within this time form one word. */
const PAUSE_MS = 600

/** Collects typed letters to find an entry by its beginning; returns null for a key that types nothing. */
export function useTyping() {
  const typed = useRef({ text: '', at: 0 })
  return (event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; timeStamp: number }) => {
    const { text, at } = typed.current
    const before = event.timeStamp - at < PAUSE_MS ? text : ''
    const isCommand = event.ctrlKey || event.metaKey || event.altKey
    if (event.key.length !== 1 || isCommand || (event.key === ' ' && before === '')) return null
    typed.current = { text: before + event.key.toLowerCase(), at: event.timeStamp }
    return typed.current.text
  }
}

/** Finds the next entry that begins with the typed text, starting from the current one. */
export function findTyped(labels: readonly string[], typed: string, from: number) {
  const begins = (index: number) => labels[index]?.trim().toLowerCase().startsWith(typed) === true
  // One letter repeated goes through all entries that begin with it; a longer word stays while it still fits.
  const first = typed.length === 1 ? from + 1 : Math.max(from, 0)
  const order = labels.map((_, step) => (first + step) % labels.length)
  return order.find(begins) ?? null
}

import { useRef } from 'react'

/** What is typed within this time is one word. */
const PAUSE_MS = 600

/** What has been typed to find an entry of a list by its first letters; null for a key that types nothing. */
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

/** The entry that what was typed means: the next one that begins so, from the one that is at hand. */
export function findTyped(labels: readonly string[], typed: string, from: number) {
  const begins = (index: number) => labels[index]?.trim().toLowerCase().startsWith(typed) === true
  // One letter again and again goes through all that begin with it; a longer word stays where it still fits.
  const first = typed.length === 1 ? from + 1 : Math.max(from, 0)
  const order = labels.map((_, step) => (first + step) % labels.length)
  return order.find(begins) ?? null
}

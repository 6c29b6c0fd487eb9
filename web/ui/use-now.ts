import { useSyncExternalStore } from 'react'

const TICK_MS = 15_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function read() {
  // Without subscribers the clock does not tick, so it may be old.
  if (timer === undefined && Date.now() - now > TICK_MS) now = Date.now()
  return now
}

/** One clock for all relative times on the screen, in steps of 15 s. */
export function useNow() {
  return useSyncExternalStore(subscribe, read)
}

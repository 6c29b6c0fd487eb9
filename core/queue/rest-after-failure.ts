/** How long Redis is left alone after it failed. Long enough to spare callers the wait, short beside the relay's look. */
const REST_MS = 3000

/** A rest that begins with a failure: until it is over, whoever asks goes the slow way at once (the outbox; a look at what is due). */
export interface Rest {
  isResting: () => boolean
  begin: () => void
}

/** @param now a clock in milliseconds that never goes back */
export function createRest(now: () => number = () => performance.now()): Rest {
  let until = -Infinity
  return {
    isResting: () => now() < until,
    begin: () => {
      until = now() + REST_MS
    },
  }
}

/**
 * Tells whether much is coming in: `items` within the last `withinMs` milliseconds.
 * @param now a clock in milliseconds that never goes back
 */
export function createLoadWatch(
  { items, withinMs }: { items: number; withinMs: number },
  now: () => number,
): { note: () => void; isBusy: () => boolean } {
  /** when each of the last items came; the oldest is where the next will be written */
  const times = new Float64Array(items).fill(-Infinity)
  let next = 0
  return {
    note: () => {
      times[next] = now()
      next = (next + 1) % items
    },
    isBusy: () => now() - (times[next] ?? -Infinity) <= withinMs,
  }
}

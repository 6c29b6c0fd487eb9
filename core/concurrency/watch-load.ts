/**
 * Tells whether much is coming in: `items` of it within the last `withinMs`.
 * @param now a clock in milliseconds that never goes back
 */
export function createLoadWatch(
  { items, withinMs }: { items: number; withinMs: number },
  now: () => number,
): { note: () => void; isBusy: () => boolean } {
  /** when each of the last so many came; the oldest stands where the next will be written */
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

/**
 * Upper ends, in milliseconds, of the steps by which attempts are counted; longer ones are counted in one more step.
 */
export const LATENCY_STEPS_MS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000] as const

/** An empty histogram: one count for each step and one above. */
export function emptyLatency(): number[] {
  return Array.from({ length: LATENCY_STEPS_MS.length + 1 }, () => 0)
}

/** @returns the index in a histogram for an exchange of this length */
export function latencyStep(ms: number): number {
  const step = LATENCY_STEPS_MS.findIndex((end) => ms <= end)
  return step === -1 ? LATENCY_STEPS_MS.length : step
}

/**
 * The duration in milliseconds that a share of the attempts did not exceed, assuming that they are spread evenly within
 * a step.
 * @param share 0 to 1, for example 0.95
 * @returns null for an empty histogram; the last step's upper end for values above it
 */
export function latencyAt(histogram: readonly number[], share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const wanted = share * total
  let below = 0
  for (const [step, count] of histogram.entries()) {
    const end = LATENCY_STEPS_MS[step]
    const start = LATENCY_STEPS_MS[step - 1] ?? 0
    if (end === undefined) return start
    if (count > 0 && below + count >= wanted)
      return Math.round(start + ((end - start) * (wanted - below)) / count)
    below += count
  }
  return LATENCY_STEPS_MS.at(-1) ?? null
}

const REMINDER_MS = 10_000

/** For example "0.4 s", "12 s", "2 min 5 s". */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return seconds < 100 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/**
 * Prints what is being done, that it continues (every 10 s), and how long it took. `result` replaces the
 * title at the end.
 */
export async function step<T>(
  title: string,
  run: () => Promise<T>,
  result?: (value: T) => string,
): Promise<T> {
  const startedAt = performance.now()
  const elapsed = () => duration(performance.now() - startedAt)
  console.log(`· ${title} …`)
  const reminder = setInterval(() => console.log(`· ${title}: still at it after ${elapsed()}`), REMINDER_MS)
  try {
    const value = await run()
    console.log(`✓ ${result === undefined ? title : result(value)} (${elapsed()})`)
    return value
  } catch (error) {
    console.log(`✗ ${title} failed after ${elapsed()}`)
    throw error
  } finally {
    clearInterval(reminder)
  }
}

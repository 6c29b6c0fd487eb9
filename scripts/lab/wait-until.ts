import { setTimeout as delay } from 'node:timers/promises'

export interface WaitOptions {
  timeoutMs?: number
  intervalMs?: number
  /** The awaited event, for the error message. */
  what?: string
}

/**
 * Calls until the result is neither false nor null nor undefined, and returns it. Throws when the time is
 * over.
 */
export async function waitUntil<T>(
  ask: () => T | Promise<T>,
  { timeoutMs = 20_000, intervalMs = 25, what = 'The condition' }: WaitOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== null && answer !== undefined) {
      return answer as Exclude<T, false | null | undefined>
    }
    if (performance.now() > deadline) throw new Error(`${what} did not come true within ${timeoutMs} ms`)
    await delay(intervalMs)
  }
}

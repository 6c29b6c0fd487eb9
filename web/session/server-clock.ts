import { AUTH_URL } from './auth-url.ts'

/** The time of the last answer, and the device's two clocks when it came; null until then. */
let told: { at: number; wall: number; steady: number } | null = null

/** Above this drift between the device's clocks, one was set or the device slept. */
const MOST_DRIFT_MS = 2000

/** Reads the time from an answer's `Date` (RFC 9110 §6.6.1). */
export function noteServerTime(response: Response) {
  const at = Date.parse(response.headers.get('date') ?? '')
  if (Number.isFinite(at)) told = { at, wall: Date.now(), steady: performance.now() }
}

/**
 * Milliseconds since the epoch by the server's clock, which decides when a block ends; a device's clock may
 * be wrong or change. Until an answer has come it is the device's clock.
 */
export function serverNow() {
  return told === null ? Date.now() : told.at + (performance.now() - told.steady)
}

/** Asks for the time again if the device slept or its clock was set since the last answer. */
export async function agreeOnTime(): Promise<void> {
  if (told === null) return
  const drift = Date.now() - told.wall - (performance.now() - told.steady)
  if (Math.abs(drift) < MOST_DRIFT_MS) return
  try {
    noteServerTime(await fetch(`${AUTH_URL}/health`, { cache: 'no-store' }))
  } catch {
    // Offline nothing can be tried anyway.
  }
}

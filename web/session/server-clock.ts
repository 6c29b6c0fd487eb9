import { AUTH_URL } from './auth-url.ts'

/** What an answer said the time was, and what this device's two clocks showed as it came; null until one has come. */
let told: { at: number; wall: number; steady: number } | null = null

/** How far the device's clocks may have drifted apart since: beyond it one was set, or the device slept. */
const MOST_DRIFT_MS = 2000

/** Takes the time from an answer's `Date` (RFC 9110 §6.6.1). */
export function noteServerTime(response: Response) {
  const at = Date.parse(response.headers.get('date') ?? '')
  if (Number.isFinite(at)) told = { at, wall: Date.now(), steady: performance.now() }
}

/**
 * Milliseconds since the epoch by the server's clock, which blocks end by: the one of a phone may be wrong, or be set meanwhile. By
 * the device's own only until an answer has come.
 */
export function serverNow() {
  return told === null ? Date.now() : told.at + (performance.now() - told.steady)
}

/** Asks for the time again where the device slept, or its clock was set, since the last answer. */
export async function agreeOnTime(): Promise<void> {
  if (told === null) return
  const drift = Date.now() - told.wall - (performance.now() - told.steady)
  if (Math.abs(drift) < MOST_DRIFT_MS) return
  try {
    noteServerTime(await fetch(`${AUTH_URL}/health`, { cache: 'no-store' }))
  } catch {
    // Without a connection nothing can be tried either.
  }
}

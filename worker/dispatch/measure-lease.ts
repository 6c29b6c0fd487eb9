/** Milliseconds after its claim in which an exchange may begin: one that slept for longer would outlive its lease. */
export const BEGIN_WITHIN_MS = 8000
/** Milliseconds for which a lease outlives the longest exchange that began in time, so that what it did can be recorded. */
const RECORD_WITHIN_MS = 2000

/**
 * Seconds for which a claimed delivery is its sender's alone.
 * @param timeoutMs of one exchange (WEBHOOK_TIMEOUT_MS)
 */
export function measureLease(timeoutMs: number): number {
  return (BEGIN_WITHIN_MS + timeoutMs + RECORD_WITHIN_MS) / 1000
}

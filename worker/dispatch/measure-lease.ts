/** Milliseconds after the claim in which an exchange may begin. One that begins later could outlive its lease. */
export const BEGIN_WITHIN_MS = 8000
/**
 * Milliseconds by which a lease outlives the longest exchange that began in time, so that its result can be recorded.
 */
const RECORD_WITHIN_MS = 2000

/**
 * Length of a lease in seconds.
 * @param timeoutMs limit of one exchange (WEBHOOK_TIMEOUT_MS)
 */
export function measureLease(timeoutMs: number): number {
  return (BEGIN_WITHIN_MS + timeoutMs + RECORD_WITHIN_MS) / 1000
}

import {
  ALERT_THRESHOLDS,
  ALERT_WINDOW_MS,
  type SecurityEvent,
} from '#core/contract/accounts/security-event.ts'

/** True if the newest event completes its window (docs/product.md §9, alerts); further events do not. */
export function reachesAlert(log: readonly SecurityEvent[], type: string, now: number) {
  const threshold = Object.hasOwn(ALERT_THRESHOLDS, type) ? ALERT_THRESHOLDS[type] : undefined
  if (threshold === undefined) return false
  const since = now - ALERT_WINDOW_MS
  return (
    log.filter((event) => event.type === type && Date.parse(event.timestamp) > since).length === threshold
  )
}

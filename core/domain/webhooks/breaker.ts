/** When the breaker of an endpoint opens, and how often it is probed while it is open. */
export interface BreakerRule {
  /** attempts in a row without a usable answer */
  opensAfter: number
  /** wait before the first probe; it doubles with each probe that fails */
  firstProbeSeconds: number
  longestProbeSeconds: number
}

/**
 * While it is open, deliveries are held and only one at a time is let through as a probe. Probes are single and cost little,
 * so they come soon: an endpoint that was mended is found out within a minute.
 */
export const BREAKER_RULE: BreakerRule = { opensAfter: 10, firstProbeSeconds: 1, longestProbeSeconds: 60 }

const UNANSWERED: ReadonlySet<string> = new Set(['dns', 'connect', 'tls', 'timeout', 'reset', 'throttled'])

/** The payload is too long or cannot be made, no access token was to be had, the address is none that we send to, or we could not. */
const NOT_ASKED: ReadonlySet<string> = new Set([
  'invalid_request',
  'authentication',
  'blocked_address',
  'internal_error',
  'sender_crashed',
])

/** Whether anything of an attempt went to its endpoint, or was to go there: of one that was not asked nothing is learned. */
export function wasAsked(errorClass: string | null, status: number | null): boolean {
  return status !== null || errorClass === null || !NOT_ASKED.has(errorClass)
}

/**
 * Whether an attempt counts towards opening the breaker: it had no answer, or the answer was that requests come too fast
 * (429, 503). An endpoint that answers anything else at once takes nothing from anybody, and the schedule of each delivery
 * is enough.
 */
export function isUnanswered(errorClass: string | null, status: number | null): boolean {
  if (status === 503) return true
  return errorClass !== null && UNANSWERED.has(errorClass)
}

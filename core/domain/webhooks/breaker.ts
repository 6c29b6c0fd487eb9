/** The limits that open an endpoint's breaker, and the pace of probes while it is open. */
export interface BreakerRule {
  /** attempts in a row without a usable answer */
  opensAfter: number
  /** seconds before the first probe; they double with each failed probe */
  firstProbeSeconds: number
  longestProbeSeconds: number
}

/**
 * While it is open, deliveries are held and only one at a time is let through as a probe. Probes are single and cost
 * little, so they come soon: a repaired endpoint is found within a minute.
 */
export const BREAKER_RULE: BreakerRule = { opensAfter: 10, firstProbeSeconds: 1, longestProbeSeconds: 60 }

const UNANSWERED: ReadonlySet<string> = new Set(['dns', 'connect', 'tls', 'timeout', 'reset', 'throttled'])

/**
 * The failures without a request: the payload is too long or cannot be made, no access token could be fetched, the
 * address is forbidden, this machine lacked something, or our mail server took no mail.
 */
const NOT_ASKED: ReadonlySet<string> = new Set([
  'invalid_request',
  'authentication',
  'blocked_address',
  'internal_error',
  'sender_crashed',
  'mail_server',
])

/** Whether an attempt reached its endpoint, or tried to: otherwise nothing is learned about the endpoint. */
export function wasAsked(errorClass: string | null, status: number | null): boolean {
  return status !== null || errorClass === null || !NOT_ASKED.has(errorClass)
}

/**
 * Whether an attempt counts towards opening the breaker: it had no answer, or the answer was that requests come too
 * fast (429, 503). An endpoint that quickly gives any other answer delays nobody, and the schedule of each delivery is
 * enough.
 */
export function isUnanswered(errorClass: string | null, status: number | null): boolean {
  if (status === 503) return true
  return errorClass !== null && UNANSWERED.has(errorClass)
}

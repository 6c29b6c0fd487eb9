/** docs/contract.md §5: a longer Retry-After is obeyed, but for at most 24 hours. */
export const MAX_RETRY_AFTER_SECONDS = 24 * 3600

/** Seconds before attempts 2, 3, …, unless an installation sets others. */
export const USUAL_RETRY_STEPS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]

/** The schedule of one installation (WEBHOOK_RETRY_SCHEDULE, WEBHOOK_RETRY_JITTER). */
export interface RetrySchedule {
  /** seconds before attempts 2, 3, … */
  stepSeconds: readonly number[]
  /** share of a step, 0.2 = ±20 % */
  jitter: number
}

/**
 * Seconds to wait after a failed attempt, or undefined if it was the last.
 * @param attempt the attempt that just failed, from 1
 * @param retryAfterSeconds the pause that the endpoint asked for, if it did; it can only lengthen the wait
 * @param random in [0, 1)
 */
export function secondsToNextAttempt(
  schedule: RetrySchedule,
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number | undefined {
  const step = schedule.stepSeconds[attempt - 1]
  if (step === undefined) return undefined
  const jittered = step * (1 + schedule.jitter * (2 * random - 1))
  return Math.max(jittered, Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS))
}

/** Limit of attempts of a delivery. */
export function maxAttempts(schedule: Pick<RetrySchedule, 'stepSeconds'>): number {
  return schedule.stepSeconds.length + 1
}

// RFC 9110 §5.6.7: IMF-fixdate, and the obsolete forms of RFC 850 and asctime. Date.parse alone would read far more.
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]
const ASCTIME = 2

/**
 * Reads a Retry-After header (RFC 9110 §10.2.3): whole seconds or an HTTP date in any of its three forms.
 * @returns seconds from `now`, never negative; undefined for anything else
 */
export function readRetryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const form = HTTP_DATES.findIndex((date) => date.test(text))
  if (form === -1) return undefined
  // The form of asctime names no zone, and Date.parse would take it for local time.
  const at = Date.parse(form === ASCTIME ? `${text} GMT` : text)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000)
}

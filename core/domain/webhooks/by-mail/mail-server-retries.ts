/** Seconds between the first two tries while our mail server takes no mail; each further pause is twice as long. */
const FIRST_WAIT_SECONDS = 2
/** Longer pauses would delay leads after the mail server is back. */
const LONGEST_WAIT_SECONDS = 900
/** RFC 5321 §4.5.4.1: a sender gives a mail up after four or five days at the soonest. */
const GIVEN_UP_AFTER_MS = 5 * 24 * 3_600_000

/** The text of a try that our mail server left without an answer begins so. */
export const NO_ANSWER = 'Our mail server did not answer in time'

/**
 * Whether the mail may have arrived all the same: a slow mail server takes it and answers too late. Such tries are
 * attempts of the schedule, so that nobody gets a mail hundreds of times.
 * @param message of a try that failed by our mail server
 */
export function mayHaveArrived(message: string): boolean {
  return message.startsWith(NO_ANSWER)
}

/** The tries of one delivery that our mail server did not take, before the present one. */
export interface UnservedTries {
  count: number
  /** when the first of them began; null without any */
  since: Date | null
}

/**
 * Seconds until a mail that our mail server did not take is tried again; undefined if that has gone on for five days. Such
 * tries are not counted as attempts.
 * @param random in [0, 1)
 */
export function secondsToMailServer(
  { count, since }: UnservedTries,
  now: Date,
  { jitter, random }: { jitter: number; random: number },
): number | undefined {
  if (since !== null && now.getTime() - since.getTime() >= GIVEN_UP_AFTER_MS) return undefined
  const wait = Math.min(FIRST_WAIT_SECONDS * 2 ** count, LONGEST_WAIT_SECONDS)
  return wait * (1 + jitter * (2 * random - 1))
}

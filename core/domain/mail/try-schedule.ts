/**
 * Minutes from a notice's try to the next, so that a mail server that is away for a day loses nothing. After the last
 * try it is given up.
 */
const NOTICE_WAITS_MINUTES = [1, 5, 15, 60, 180, 360, 720]
/**
 * Seconds between the first two tries of a mail that somebody waits for; each further pause is twice as long, up to the
 * longest.
 */
const AWAITED_WAIT_SECONDS = { first: 10, longest: 300 }

/** A mail that is about to be tried. */
export interface MailTry {
  /** tries including this one */
  tries: number
  /** empty if the account has no address, for example after a sign-up by phone */
  address: string
  /** until when its code or link works; undefined for a notice, which never expires */
  expiresAt: Date | undefined
  now: Date
}

/**
 * Whether to make the try. `interrupted`: the process died in the last one. A mail whose code or link no longer works would
 * only mislead its reader.
 */
export function judgeMailTry({
  tries,
  address,
  expiresAt,
  now,
}: MailTry): 'send' | 'expired' | 'no_address' | 'interrupted' {
  if (expiresAt !== undefined && expiresAt <= now) return 'expired'
  if (address === '') return 'no_address'
  return expiresAt === undefined && tries > NOTICE_WAITS_MINUTES.length + 1 ? 'interrupted' : 'send'
}

/**
 * Seconds from a failed try to the next; undefined after a notice's last. A mail that somebody waits for is tried until
 * it expires.
 * @param tries number of tries so far
 */
export function secondsToNextTry({
  tries,
  expiresAt,
}: Pick<MailTry, 'tries' | 'expiresAt'>): number | undefined {
  if (expiresAt !== undefined) {
    const { first, longest } = AWAITED_WAIT_SECONDS
    return Math.min(first * 2 ** (tries - 1), longest)
  }
  const minutes = NOTICE_WAITS_MINUTES[tries - 1]
  return minutes === undefined ? undefined : minutes * 60
}

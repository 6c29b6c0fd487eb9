/**
 * Minutes from a notice's try to its next, so that a mail server that is away for a day loses nothing. After the last it is
 * given up.
 */
const NOTICE_WAITS_MINUTES = [1, 5, 15, 60, 180, 360, 720]
/** Seconds from the first try of a mail that somebody waits for to the second; twice as long each time, up to the longest. */
const AWAITED_WAIT_SECONDS = { first: 10, longest: 300 }

/** A mail that is about to be tried. */
export interface MailTry {
  /** this one included */
  tries: number
  /** empty where the account has no address, as one that signed up by phone */
  address: string
  /** until when what it carries works; undefined for a notice, which is as good later */
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
 * Seconds from a failed try to the next; undefined after a notice's last. A mail that somebody waits for is tried until it expires.
 * @param tries made so far
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

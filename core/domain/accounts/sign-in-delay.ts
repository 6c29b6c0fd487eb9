const FIRST_MS = 250
/** The longest wait of one sign-in, in milliseconds. */
export const LONGEST_DELAY_MS = 5000

/**
 * Returns for how long a sign-in waits after this many failed ones of the account, in milliseconds, where failures slow sign-ins
 * instead of blocking them: nothing, then a quarter of a second, and twice as long after each further failure.
 */
export function delaySignIn(failures: number): number {
  return failures < 1 ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_MS * 2 ** (failures - 1))
}

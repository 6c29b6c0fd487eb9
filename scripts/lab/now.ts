/** Milliseconds since the epoch with their fractions; processes of one machine agree, and it never goes back. */
export const now = (): number => performance.timeOrigin + performance.now()

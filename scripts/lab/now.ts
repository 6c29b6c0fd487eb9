/** Milliseconds since the epoch with fractions. Processes of one machine agree, and it never goes back. */
export const now = (): number => performance.timeOrigin + performance.now()

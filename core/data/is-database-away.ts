/**
 * Whether the database cannot be reached, broke the connection off, or is read-only because another one replaces it. It
 * knows PostgreSQL's classes 08, 53, 57P0x and 25006, the driver's own messages, and the system's codes for a broken
 * socket.
 */
export function isDatabaseAway(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (
    typeof code === 'string' &&
    /^(08...|53[123]00|57P0[1-5]|25006|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND)$/.test(code)
  ) {
    return true
  }
  if (error instanceof AggregateError) return error.errors.some((one) => isDatabaseAway(one))
  return (
    error instanceof Error &&
    /Connection terminated|Client has encountered a connection error|not currently accepting/.test(
      error.message,
    )
  )
}

/** The database cannot be reached, or broke the connection off: class 08, 53 and 57P0x of PostgreSQL, the driver's own words, and the system's for a broken socket. */
export function isDatabaseAway(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (
    typeof code === 'string' &&
    /^(08...|53[123]00|57P0[1-5]|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND)$/.test(code)
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

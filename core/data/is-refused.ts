/**
 * Whether PostgreSQL refuses a statement for its content, however often it is sent. That may be data, constraints,
 * limits, or errors raised by a trigger or function (SQLSTATE classes 22, 23, 54, P0). A PostgreSQL that is away, full
 * or busy is not the content's fault.
 */
export function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^(22|23|54|P0)...$/.test(code)
}

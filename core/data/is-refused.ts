/**
 * Whether PostgreSQL refused a statement for what it was given, however often it is given it: data, constraints, limits, what a
 * trigger or function raises (SQLSTATE classes 22, 23, 54, P0). That PostgreSQL is away, full or busy is nobody's content.
 */
export function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^(22|23|54|P0)...$/.test(code)
}

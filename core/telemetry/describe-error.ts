/** The part of an error that a log may hold. */
export interface ErrorDescription {
  type: string
  message: string
  code: string | undefined
  /** where it happened; without the first line, which repeats the message */
  stack: string | undefined
  cause: ErrorDescription | undefined
}

/** SQLSTATE class 22: PostgreSQL quotes the value that it does not take. */
const QUOTING_CODE = /^22/

/**
 * Returns what an error says about itself and no more: drivers hang the statement, its values and the connection on theirs. The
 * words of one that quotes what it met (a parser, PostgreSQL about a value) are left out as well.
 */
export function describeError(error: unknown, depth = 0): ErrorDescription | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const quotes = error instanceof SyntaxError || (code !== undefined && QUOTING_CODE.test(code))
  return {
    type: error.name,
    message: quotes ? 'left out: it quotes data' : error.message,
    code,
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    cause: depth < 3 ? describeError(error.cause, depth + 1) : undefined,
  }
}

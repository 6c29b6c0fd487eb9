/** The part of an error that a log may contain. */
export interface ErrorDescription {
  type: string
  message: string
  code: string | undefined
  /** where it happened; without the first line, which repeats the message */
  stack: string | undefined
  cause: ErrorDescription | undefined
}

/** SQLSTATE class 22: PostgreSQL quotes the value that it does not accept. */
const QUOTING_CODE = /^22/

/**
 * Returns only an error's own description: drivers attach the statement, its values and the connection to theirs. The
 * message is left out too if it quotes its input (a parser's, PostgreSQL's about a value).
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

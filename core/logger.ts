import { pino, type Logger } from 'pino'

export type { Logger } from 'pino'

/**
 * Structured JSON logs to standard output, with ids only: whatever could hold personal data or secrets is cut here as a
 * second line of defence, whoever passes it.
 * @param name the process: server, worker, …
 */
export function createLogger(name: string, level: string): Logger {
  return pino({
    name,
    level,
    serializers: { err: (error: unknown) => describeError(error) },
    redact: {
      paths: [
        'req.headers',
        'res.headers',
        '*.authorization',
        '*.password',
        '*.email',
        '*.phone',
        '*.body',
        '*.secret',
        '*.api_key',
      ],
      remove: true,
    },
  })
}

interface ErrorDescription {
  type: string
  message: string
  code: string | undefined
  stack: string | undefined
  cause: ErrorDescription | undefined
}

/** What an error says about itself and no more: drivers hang the statement, its values and the connection on theirs. */
function describeError(error: unknown, depth = 0): ErrorDescription | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type: error.name,
    message: error.message,
    code,
    stack: error.stack,
    cause: depth < 3 ? describeError(error.cause, depth + 1) : undefined,
  }
}

import { pino, type Logger } from 'pino'
import { describeError } from './describe-error.ts'

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

import { pino, type Logger } from 'pino'
import { describeError } from './describe-error.ts'

export type { Logger } from 'pino'

/**
 * Creates a logger of structured JSON on standard output. Callers log only ids; as a second line of defence it cuts
 * every field that could hold personal data or secrets.
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

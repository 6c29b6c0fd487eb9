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
        'err.detail',
        'err.parameters',
        'err.where',
      ],
      remove: true,
    },
  })
}

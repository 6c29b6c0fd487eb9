import { pino, type Logger } from 'pino'
import { describeError } from './describe-error.ts'
import { NO_TRACING, type Tracing } from './tracing.ts'

export type { Logger } from 'pino'

/**
 * Creates a logger of structured JSON on standard output. Callers log only ids; as a second line of defence it cuts
 * every field that could hold personal data or secrets.
 * @param name the process: server, worker, …
 * @param tracing lines that are logged within a span carry its `trace_id`
 */
export function createLogger(
  name: string,
  level: string,
  tracing: Pick<Tracing, 'isOn' | 'traceId'> = NO_TRACING,
): Logger {
  return pino({
    name,
    level,
    ...(tracing.isOn && { mixin: () => ({ trace_id: tracing.traceId() }) }),
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

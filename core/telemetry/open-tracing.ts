import type { Config } from '../config/config.ts'
import { NO_TRACING, type Tracing } from './tracing.ts'

/** Loads OpenTelemetry only if there is an address to export to (OTEL_EXPORTER_OTLP_ENDPOINT). */
export async function openTracing(config: Config, service: string): Promise<Tracing> {
  if (config.tracing.endpoint === undefined) return NO_TRACING
  const { startTracing } = await import('./start-tracing.ts')
  return startTracing({ ...config.tracing, endpoint: config.tracing.endpoint, service })
}

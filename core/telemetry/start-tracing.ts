import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Tracing } from './tracing.ts'

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}
const EXPORT_EVERY_MS = 1000
/** A process that ends waits no longer than this for the exporter. */
const CLOSE_LIMIT_MS = 3000

/**
 * Traces with OpenTelemetry, exported as OTLP over HTTP in JSON. Spans are begun by hand at the stages of the journey
 * (docs/decisions/0015-spans-by-hand.md).
 * @param settings.ratio share of the traces that are kept, 0 to 1; decided at the request that brings the lead
 */
export function startTracing(settings: {
  endpoint: string
  headers: Readonly<Record<string, string>>
  ratio: number
  service: string
}): Tracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...settings.headers },
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.service }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_EVERY_MS })],
  })
  const tracer = provider.getTracer('leadwire')

  return {
    isOn: true,
    inSpan: async (name, facts, work, { kind, from } = {}) => {
      const parent = from === undefined ? context.active() : readParent(from)
      const span = tracer.startSpan(
        name,
        { attributes: { ...facts }, kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind] },
        parent,
      )
      try {
        return await context.with(trace.setSpan(parent, span), () =>
          work((more) => {
            span.setAttributes({ ...more })
          }),
        )
      } catch (error) {
        // An error's message may quote its input.
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.name : 'unknown',
        })
        throw error
      } finally {
        span.end()
      }
    },
    carry: () => {
      const span = trace.getActiveSpan()?.spanContext()
      if (span === undefined) return undefined
      return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
    },
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
    note: (facts) => {
      trace.getActiveSpan()?.setAttributes({ ...facts })
    },
    close: async () => {
      const limit = new Promise<void>((resolve) => {
        setTimeout(resolve, CLOSE_LIMIT_MS).unref()
      })
      await Promise.race([provider.shutdown().catch(() => undefined), limit])
    },
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values; any other text begins a trace of its own. */
function readParent(traceparent: string): Context {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags ?? '00', 16),
    isRemote: true,
  })
}

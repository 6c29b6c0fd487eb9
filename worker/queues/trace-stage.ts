import type { SpanFacts, Tracing } from '#core/telemetry/tracing.ts'
import type { Stage } from './run-stage.ts'

/**
 * Wraps a stage in a span of its job's trace. The request that brought the lead, or the stage before, began that trace.
 */
export function traceStage(tracing: Tracing, name: string, stage: Stage): Stage {
  if (!tracing.isOn) return stage
  return (job) =>
    tracing.inSpan(
      name,
      { 'messaging.system': 'bullmq', 'messaging.destination.name': job.queueName, ...idsOf(job.data) },
      async (note) => {
        const result = await stage(job)
        note({ 'leadwire.next': result.next })
        return result
      },
      { kind: 'consumer', from: job.opts.telemetry?.metadata },
    )
}

/** A job's data are ids and the number of its attempt. Nothing else of the data goes into the span. */
function idsOf(data: unknown): SpanFacts {
  if (typeof data !== 'object' || data === null) return {}
  const known = ['event_id', 'delivery_id', 'webhook_config_id', 'attempt'] as const
  return Object.fromEntries(
    known.flatMap((key) => {
      const value = (data as Record<string, unknown>)[key]
      return typeof value === 'string' || typeof value === 'number' ? [[`leadwire.${key}`, value]] : []
    }),
  )
}

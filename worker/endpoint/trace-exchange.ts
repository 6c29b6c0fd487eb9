import type { Tracing } from '#core/telemetry/tracing.ts'
import type { SendResult } from '#core/endpoint/exchange-once.ts'

/**
 * One exchange with an endpoint as a span. The span names only the host, because the path and query may hold secrets.
 */
export async function traceExchange<Result extends SendResult>(
  tracing: Tracing,
  request: { url: string; method: string },
  send: () => Promise<Result>,
): Promise<Result> {
  if (!tracing.isOn) return await send()
  const facts = { 'server.address': new URL(request.url).hostname, 'http.request.method': request.method }
  return await tracing.inSpan(
    'exchange',
    facts,
    async (note) => {
      const result = await send()
      const { exchange } = result
      note(
        exchange.kind === 'answer'
          ? { 'http.response.status_code': exchange.status }
          : { 'error.type': exchange.errorClass },
      )
      return result
    },
    { kind: 'client' },
  )
}

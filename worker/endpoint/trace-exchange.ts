import type { Tracing } from '#core/telemetry/tracing.ts'
import type { SendResult } from '#core/endpoint/exchange-once.ts'

/** One exchange with an endpoint as a span that names its host only: the path and query of an endpoint may hold secrets. */
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

import { Agent, type Dispatcher } from 'undici'
import type { AttemptTiming } from '../contract/delivery.ts'
import type { Exchange } from '../domain/read-answer.ts'
import { guardedConnector, watchDialledAddresses, type DialledAddresses } from './dial.ts'
import { explainFailure } from './explain-failure.ts'
import type { AddressGuard } from './guard-address.ts'
import type { WebhookRequest } from './prepare-request.ts'

/** CONTRACT.md §4: the log keeps the first 16 KiB of an answer. */
export const KEPT_BODY_BYTES = 16 * 1024
/** A little more is read and dropped to keep the connection; past this the connection is closed instead. */
const DRAINED_BODY_BYTES = 64 * 1024
const MAX_HEADER_BYTES = 16 * 1024

/** What one exchange left behind. `body` is text: invalid UTF-8 replaced, NUL removed (PostgreSQL text refuses it). */
export interface SendResult {
  exchange: Exchange
  body: string | null
  bodyTruncated: boolean
  timing: AttemptTiming
  remoteAddress: string | null
}

/** The one way to a client's endpoint, for the worker and for Test Endpoint. Never follows redirects, never retries. */
export interface Transport {
  /** Sends one request; every failure is a result, never a rejection. */
  send: (request: WebhookRequest, signal?: AbortSignal) => Promise<SendResult>
  close: () => Promise<void>
}

/**
 * @param options.timeoutMs the whole exchange: name, connect, TLS, headers, body
 * @param options.connectionsPerOrigin sockets kept to one origin
 */
export function createTransport(
  guard: AddressGuard,
  options: { timeoutMs: number; connectionsPerOrigin: number },
): Transport {
  const agent = new Agent({
    connect: guardedConnector(guard, options.timeoutMs),
    connections: options.connectionsPerOrigin,
    pipelining: 1,
    allowH2: false,
    // Below the 5 s after which common servers close an idle connection, so that no request meets a closing socket.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 4000,
    maxHeaderSize: MAX_HEADER_BYTES,
    // One clock rules the whole exchange (below); these two restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const addresses = watchDialledAddresses()
  return {
    send: (request, signal) => exchangeOnce(agent, addresses, request, options.timeoutMs, signal),
    close: async () => {
      addresses.stop()
      await agent.destroy()
    },
  }
}

function exchangeOnce(
  agent: Agent,
  addresses: DialledAddresses,
  request: WebhookRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    const since = (): number => Math.round(performance.now() - startedAt)
    const chunks: Buffer[] = []
    let received = 0
    let connectMs: number | null = null
    let headersMs: number | null = null
    let remoteAddress: string | null = null
    let answer: { status: number; headers: Record<string, string> } | undefined
    let controller: Dispatcher.DispatchController | undefined
    let settled = false

    const finish = (exchange: Exchange): void => {
      if (settled) return
      settled = true
      clearTimeout(deadline)
      signal?.removeEventListener('abort', onAbort)
      const bodyTruncated = received > KEPT_BODY_BYTES
      resolve({
        exchange,
        body: answer === undefined ? null : readText(chunks, bodyTruncated),
        bodyTruncated,
        timing: { connect_ms: connectMs, headers_ms: headersMs, total_ms: since() },
        remoteAddress,
      })
    }
    const fail = (error: Error): void => {
      finish({ kind: 'failure', ...explainFailure(error, timeoutMs, answer !== undefined) })
      controller?.abort(error)
    }
    const onAbort = (): void => {
      fail(new InterruptedError())
    }
    const deadline = setTimeout(() => {
      fail(new DeadlineError())
    }, timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) {
      onAbort()
      return
    }
    const url = URL.parse(request.url)
    if (url === null) {
      finish({ kind: 'failure', errorClass: 'invalid_request', detail: 'Endpoint URL is not valid.' })
      return
    }

    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers,
        body: request.body,
      },
      {
        onRequestStart: (started) => {
          controller = started
          if (settled) {
            started.abort(new DeadlineError())
            return
          }
          addresses.next = (address, reused) => {
            remoteAddress = address
            connectMs = reused ? null : since()
          }
        },
        onResponseStart: (_controller, status, headers) => {
          if (status < 200) return
          headersMs = since()
          answer = { status, headers: flatten(headers) }
        },
        onResponseData: (_controller, chunk) => {
          if (received < KEPT_BODY_BYTES) chunks.push(chunk)
          received += chunk.length
          if (received > DRAINED_BODY_BYTES && answer !== undefined) {
            finish({ kind: 'answer', ...answer })
            controller?.abort(new Error('enough of the answer was read'))
          }
        },
        onResponseEnd: () => {
          if (answer !== undefined) finish({ kind: 'answer', ...answer })
        },
        onResponseError: (_controller, error) => {
          fail(error)
        },
      },
    )
  })
}

/** The whole exchange took longer than WEBHOOK_TIMEOUT_MS. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly code = 'ERR_DEADLINE'
}

/** The caller gave up; the endpoint is not to blame. */
class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  readonly code = 'ERR_INTERRUPTED'
}

/** A character that the cut at the end divides is left out; bytes that are no UTF-8 are replaced. */
function readText(chunks: readonly Buffer[], truncated: boolean): string {
  const kept = Buffer.concat(chunks).subarray(0, KEPT_BODY_BYTES)
  return new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(kept, { stream: truncated })
    .replaceAll('\0', '')
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

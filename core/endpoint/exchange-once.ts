import { errors, type Agent, type Dispatcher } from 'undici'
import type { AttemptTiming } from '../contract/webhooks/delivery.ts'
import type { Exchange } from '../domain/webhooks/answer/read-answer.ts'
import type { DialledAddresses } from './dial.ts'
import { explainFailure } from './explain-failure.ts'
import type { WebhookRequest } from './prepare-request.ts'

/** docs/contract.md §4: the log keeps the first 16 KiB of an answer. */
export const KEPT_BODY_BYTES = 16 * 1024

/** How much of an answer is kept; a little more is read and dropped to keep the connection, past that it is closed instead. */
export interface AnswerLimits {
  keptBytes: number
  readBytes: number
}

const ENDPOINT_ANSWER: AnswerLimits = { keptBytes: KEPT_BODY_BYTES, readBytes: 64 * 1024 }

/** What one exchange left behind. `body` is text: invalid UTF-8 replaced, NUL removed (PostgreSQL text refuses it). */
export interface SendResult {
  exchange: Exchange
  body: string | null
  bodyTruncated: boolean
  timing: AttemptTiming
  remoteAddress: string | null
  /** its handshake took so long that everybody else's deliveries noticed (slow-certificates.ts) */
  wasSlowHandshake?: true
}

/** When an exchange began (performance.now) and how long it may take as a whole. */
export interface ExchangeClock {
  startedAt: number
  timeoutMs: number
}

export type ExchangeOutcome = SendResult & {
  /** what a failure was, before it was put into words */
  error: Error | undefined
  /** a kept connection was closed by the other side before any answer, perhaps before it read anything */
  metClosedConnection: boolean
}

/** Sends one request over the agent and reads the answer; every failure is a result, never a rejection. */
export function exchangeOnce(
  agent: Agent,
  addresses: DialledAddresses,
  request: WebhookRequest,
  clock: ExchangeClock,
  signal: AbortSignal | undefined,
  { keptBytes, readBytes }: AnswerLimits = ENDPOINT_ANSWER,
): Promise<ExchangeOutcome> {
  return new Promise((resolve) => {
    const { startedAt, timeoutMs } = clock
    const since = (): number => Math.round(performance.now() - startedAt)
    const chunks: Buffer[] = []
    let received = 0
    let connectMs: number | null = null
    let headersMs: number | null = null
    let remoteAddress: string | null = null
    let answer: { status: number; headers: Record<string, string> } | undefined
    let controller: Dispatcher.DispatchController | undefined
    let reusedConnection = false
    let settled = false

    const finish = (exchange: Exchange, error?: Error, metClosedConnection = false): void => {
      if (settled) return
      settled = true
      clearTimeout(deadline)
      signal?.removeEventListener('abort', onAbort)
      const bodyTruncated = received > keptBytes
      resolve({
        exchange,
        body: answer === undefined ? null : readText(chunks, keptBytes, bodyTruncated),
        bodyTruncated,
        timing: { connect_ms: connectMs, headers_ms: headersMs, total_ms: since() },
        remoteAddress,
        error,
        metClosedConnection,
      })
    }
    const fail = (error: Error): void => {
      const answered = answer !== undefined
      finish(
        { kind: 'failure', ...explainFailure(error, timeoutMs, answered) },
        error,
        // Without a controller the request never left: its connection was gone before it could be written.
        !answered && (reusedConnection || controller === undefined) && isClosedByOtherSide(error),
      )
      controller?.abort(error)
    }
    const onAbort = (): void => {
      fail(new InterruptedError())
    }
    const deadline = setTimeout(() => {
      fail(new DeadlineError())
    }, timeoutMs - since())
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
            reusedConnection = reused
            connectMs = reused ? null : since()
          }
        },
        onResponseStart: (_controller, status, headers) => {
          if (status < 200) return
          headersMs = since()
          answer = { status, headers: flatten(headers) }
        },
        onResponseData: (_controller, chunk) => {
          if (received < keptBytes) chunks.push(chunk)
          received += chunk.length
          if (received > readBytes && answer !== undefined) {
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

/** The whole exchange took longer than its clock allows. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly code = 'ERR_DEADLINE'
}

/** The caller gave up; the endpoint is not to blame. */
class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  readonly code = 'ERR_INTERRUPTED'
}

function isClosedByOtherSide(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined
  if (code === 'ECONNRESET' || code === 'EPIPE') return true
  return error instanceof errors.SocketError && error.message === 'other side closed'
}

/** A character that the cut at the end divides is left out; bytes that are no UTF-8 are replaced. */
function readText(chunks: readonly Buffer[], keptBytes: number, truncated: boolean): string {
  const kept = Buffer.concat(chunks).subarray(0, keptBytes)
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

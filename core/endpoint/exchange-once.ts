import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { errors, type Agent, type Dispatcher } from 'undici'
import type { AttemptTiming } from '../contract/webhooks/delivery.ts'
import type { BegunAnswer, Exchange } from '../domain/webhooks/answer/read-answer.ts'
import { CertificateDemandedError, findAnswerFault } from './answer-fault.ts'
import { watchAnswerHead, type AnswerHead } from './answer-head.ts'
import type { DialledAddresses } from './dial.ts'
import { explainFailure } from './explain-failure.ts'
import type { WebhookRequest } from './prepare-request.ts'
import { readBody, type BodyText } from './read-body.ts'
import { EndlessAnswerError, limitAnswer } from './tls/received-bytes.ts'

/** docs/contract.md §4: the log keeps the first 16 KiB of an answer. */
export const KEPT_BODY_BYTES = 16 * 1024

/** How much of an answer is kept; a little more is read and dropped to keep the connection, past that it is closed instead. */
export interface AnswerLimits {
  keptBytes: number
  readBytes: number
}

const ENDPOINT_ANSWER: AnswerLimits = { keptBytes: KEPT_BODY_BYTES, readBytes: 64 * 1024 }

/** The outcome of one exchange. `body` is null where no answer began. */
export interface SendResult extends Omit<BodyText, 'body'> {
  exchange: Exchange
  body: string | null
  timing: AttemptTiming
  remoteAddress: string | null
  /** more came than any answer may have (received-bytes.ts), whatever the exchange makes of it */
  wasEndless?: true
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
  return new Promise((resolve, reject) => {
    const { startedAt, timeoutMs } = clock
    const since = (): number => Math.round(performance.now() - startedAt)
    const chunks: Buffer[] = []
    let received = 0
    let connectMs: number | null = null
    let headersMs: number | null = null
    let remoteAddress: string | null = null
    let answer: BegunAnswer | undefined
    let head: AnswerHead | undefined
    let wasAskedForCertificate = false
    let controller: Dispatcher.DispatchController | undefined
    let reusedConnection = false
    let settled = false
    let wasCutOff = false
    let isEndless = false
    let stopWatching: (() => void) | undefined

    const finish = (exchange: Exchange, error?: Error, metClosedConnection = false): void => {
      if (settled) return
      settled = true
      clearTimeout(deadline)
      signal?.removeEventListener('abort', onAbort)
      stopWatching?.()
      const isCut = wasCutOff || received > keptBytes
      const left = {
        exchange,
        timing: { connect_ms: connectMs, headers_ms: headersMs, total_ms: since() },
        remoteAddress,
        ...(isEndless || error instanceof EndlessAnswerError ? { wasEndless: true as const } : {}),
        error,
        metClosedConnection,
      }
      if (answer === undefined) {
        resolve({ ...left, body: null, bodyTruncated: isCut })
        return
      }
      const kept = Buffer.concat(chunks).subarray(0, keptBytes)
      readBody(kept, answer.headers, keptBytes, isCut).then((text) => resolve({ ...left, ...text }), reject)
    }
    /** The part of the answer that had come, also where undici could not read it. */
    const readBegun = (): BegunAnswer | undefined => {
      const status = head?.status()
      return answer ?? (status === undefined ? undefined : { status, headers: {} })
    }
    const fail = (met: Error): void => {
      if (answer !== undefined && isWholeAllTheSame(met, answer, received)) {
        finish({ kind: 'answer', ...answer })
        return
      }
      const isClosed = isClosedByOtherSide(met)
      const wasDemanded = wasAskedForCertificate && isClosed && head?.text() === ''
      const error = wasDemanded
        ? new CertificateDemandedError()
        : (findAnswerFault(met, head?.text() ?? '') ?? met)
      const begun = readBegun()
      finish(
        {
          kind: 'failure',
          ...explainFailure(error, timeoutMs, begun !== undefined),
          ...(begun === undefined ? {} : { begun }),
        },
        error,
        // Without a controller the request never left: its connection was gone before it could be written.
        begun === undefined && (reusedConnection || controller === undefined) && isClosed,
      )
      controller?.abort(met)
    }
    const cutOff = (): void => {
      if (settled) return
      wasCutOff = true
      if (answer === undefined) {
        fail(new EndlessAnswerError())
        return
      }
      finish({ kind: 'answer', ...answer })
      controller?.abort(new Error('enough of the answer was read'))
    }
    const onAbort = (): void => {
      fail(new InterruptedError())
    }
    const deadline = setTimeout(() => {
      // A firewall that drops what comes looks like this.
      fail(head === undefined ? new UnconnectedError() : new DeadlineError())
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
          addresses.next = (socket, reused) => {
            remoteAddress = socket.remoteAddress ?? null
            reusedConnection = reused
            connectMs = reused ? null : since()
            head = watchAnswerHead(socket)
            wasAskedForCertificate = !reused && hasDemandedCertificate(socket)
            stopWatching = limitAnswer(socket, !reused, () => {
              isEndless = true
              cutOff()
            })
          }
        },
        onResponseStart: (_controller, status, headers) => {
          // Interim ones do not come here; 101 is none, and no answer to what was asked.
          if (status < 200) return
          headersMs = since()
          answer = { status, headers: flatten(headers) }
        },
        onResponseData: (_controller, chunk) => {
          if (received < keptBytes) chunks.push(chunk)
          received += chunk.length
          if (received > readBytes) cutOff()
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

/** The exchange took longer than its clock allows, over a connection that stands. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly code = 'ERR_DEADLINE'
}

/** The exchange's time was over before it had a connection. */
class UnconnectedError extends Error {
  override readonly name = 'UnconnectedError'
  readonly code = 'ERR_UNCONNECTED'
}

/** The caller gave up; the endpoint is not to blame. */
class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  readonly code = 'ERR_INTERRUPTED'
}

/** undici (8.12) takes spaces behind a Content-Length for digits (RFC 9110 §5.5 allows them), and then misses bytes. */
function isWholeAllTheSame(met: Error, { headers }: BegunAnswer, received: number): boolean {
  return (
    met instanceof errors.ResponseContentLengthMismatchError && received === Number(headers['content-length'])
  )
}

function isClosedByOtherSide(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined
  if (code === 'ECONNRESET' || code === 'EPIPE') return true
  return error instanceof errors.SocketError && error.message === 'other side closed'
}

/** OpenSSL fills this list from the other side's request for a certificate, and leaves it empty where there was none. */
function hasDemandedCertificate(socket: Socket): boolean {
  return socket instanceof TLSSocket && socket.getSharedSigalgs().length > 0
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

import { errors, type Agent, type Dispatcher } from 'undici'
import type { AttemptTiming } from '../contract/webhooks/delivery.ts'
import type { BegunAnswer, Exchange } from '../domain/webhooks/answer/read-answer.ts'
import { CertificateDemandedError, findAnswerFault } from './answer-fault.ts'
import { DeadlineError } from './deadline-error.ts'
import type { DialledAddresses } from './dial.ts'
import { beginProgress, noteConnection, type Progress } from './exchange-progress.ts'
import { explainFailure } from './explain-failure.ts'
import { BlockedAddressError } from './guard-address.ts'
import type { WebhookRequest } from './prepare-request.ts'
import { readBody, type BodyText } from './read-body.ts'
import { EndlessAnswerError, limitAnswer } from './tls/received-bytes.ts'

/** docs/contract.md §4: the log keeps the first 16 KiB of an answer. */
export const KEPT_BODY_BYTES = 16 * 1024

/**
 * Limit of bytes that are kept of an answer. A little more is read and dropped to keep the connection; beyond that the
 * connection is closed.
 */
export interface AnswerLimits {
  keptBytes: number
  readBytes: number
}

const ENDPOINT_ANSWER: AnswerLimits = { keptBytes: KEPT_BODY_BYTES, readBytes: 64 * 1024 }

/** The outcome of one exchange. `body` is null if no answer began. */
export interface SendResult extends Omit<BodyText, 'body'> {
  exchange: Exchange
  body: string | null
  timing: AttemptTiming
  remoteAddress: string | null
  /** more bytes came than any answer may have (received-bytes.ts), whatever the outcome */
  wasEndless?: true
}

/** When an exchange began (performance.now) and how long it may take as a whole. */
export interface ExchangeClock {
  startedAt: number
  timeoutMs: number
}

export type ExchangeOutcome = SendResult & {
  /** the failure before it was put into words */
  error: Error | undefined
  /** whether the other side closed a kept connection before any answer, perhaps before it read anything */
  metClosedConnection: boolean
}

/** The end of an exchange. */
type Ending = Pick<ExchangeOutcome, 'exchange' | 'error' | 'metClosedConnection'>

/** Sends one request over the agent and reads the answer; every failure is a result, never a rejection. */
export function exchangeOnce(
  agent: Agent,
  addresses: DialledAddresses,
  request: WebhookRequest,
  clock: ExchangeClock,
  signal: AbortSignal | undefined,
  limits: AnswerLimits = ENDPOINT_ANSWER,
): Promise<ExchangeOutcome> {
  return new Promise((resolve) => {
    const { startedAt, timeoutMs } = clock
    const since = (): number => Math.round(performance.now() - startedAt)
    const progress = beginProgress()
    let controller: Dispatcher.DispatchController | undefined
    let settled = false
    let stopWatching: (() => void) | undefined

    const finish = (ending: Ending): void => {
      if (settled) return
      settled = true
      clearTimeout(deadline)
      signal?.removeEventListener('abort', onAbort)
      stopWatching?.()
      resolve(readOutcome(progress, ending, { totalMs: since(), keptBytes: limits.keptBytes }))
    }
    const finishWith = (answer: BegunAnswer): void => {
      finish({ exchange: { kind: 'answer', ...answer }, error: undefined, metClosedConnection: false })
    }
    const fail = (met: Error): void => {
      const { answer, received } = progress
      if (answer !== undefined && isWholeAllTheSame(met, answer, received)) {
        finishWith(answer)
        return
      }
      finish(explainEnding(met, progress, { timeoutMs, hasLeft: controller !== undefined }))
      controller?.abort(met)
    }
    const cutOff = (): void => {
      if (settled) return
      progress.wasCutOff = true
      if (progress.answer === undefined) {
        fail(new EndlessAnswerError())
        return
      }
      finishWith(progress.answer)
      controller?.abort(new Error('enough of the answer was read'))
    }
    const onAbort = (): void => {
      fail(new InterruptedError())
    }
    const deadline = setTimeout(() => {
      // No connection within the time limit: probably a firewall that drops packets.
      fail(progress.head === undefined ? new UnconnectedError() : new DeadlineError())
    }, timeoutMs - since())
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) {
      onAbort()
      return
    }
    const url = URL.parse(request.url)
    if (url === null) {
      finish(NO_URL)
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
            noteConnection(progress, socket, reused ? undefined : since())
            // Nothing is written yet.
            if (request.onlyTo?.includes(socket.remoteAddress ?? '') === false) {
              fail(new BlockedAddressError(socket.remoteAddress ?? ''))
              return
            }
            stopWatching = limitAnswer(socket, !reused, () => {
              progress.isEndless = true
              cutOff()
            })
          }
        },
        ...noteAnswer(progress, limits, { since, cutOff }),
        onResponseEnd: () => {
          if (progress.answer !== undefined) finishWith(progress.answer)
        },
        onResponseError: (_controller, error) => {
          fail(error)
        },
      },
    )
  })
}

const NO_URL: Ending = {
  exchange: { kind: 'failure', errorClass: 'invalid_request', detail: 'Endpoint URL is not valid.' },
  error: undefined,
  metClosedConnection: false,
}

/** Notes the parts of the answer as they come; `cutOff` ends the exchange once enough of it was read. */
function noteAnswer(
  progress: Progress,
  { keptBytes, readBytes }: AnswerLimits,
  { since, cutOff }: { since: () => number; cutOff: () => void },
): Pick<Dispatcher.DispatchHandler, 'onResponseStart' | 'onResponseData'> {
  return {
    onResponseStart: (_controller, status, headers) => {
      // Interim answers do not come here, except 101, which does not answer the request.
      if (status < 200) return
      progress.headersMs = since()
      progress.answer = { status, headers: flatten(headers) }
    },
    onResponseData: (_controller, chunk) => {
      if (progress.received < keptBytes) progress.chunks.push(chunk)
      progress.received += chunk.length
      if (progress.received > readBytes) cutOff()
    },
  }
}

/**
 * Puts a failure into words.
 * @param at.hasLeft whether the request was given to a connection
 */
function explainEnding(
  met: Error,
  { answer, head, wasAskedForCertificate, reusedConnection }: Progress,
  { timeoutMs, hasLeft }: { timeoutMs: number; hasLeft: boolean },
): Ending {
  const isClosed = isClosedByOtherSide(met)
  const wasDemanded = wasAskedForCertificate && isClosed && head?.text() === ''
  const error = wasDemanded
    ? new CertificateDemandedError()
    : (findAnswerFault(met, head?.text() ?? '') ?? met)
  // The part of the answer that had come, also if undici could not read it.
  const status = head?.status()
  const begun = answer ?? (status === undefined ? undefined : { status, headers: {} })
  return {
    exchange: {
      kind: 'failure',
      ...explainFailure(error, timeoutMs, begun !== undefined),
      ...(begun === undefined ? {} : { begun }),
    },
    error,
    // If the request was never sent, its connection was gone before it could be written.
    metClosedConnection: begun === undefined && (reusedConnection || !hasLeft) && isClosed,
  }
}

function readOutcome(
  { answer, chunks, received, connectMs, headersMs, remoteAddress, wasCutOff, isEndless }: Progress,
  { exchange, error, metClosedConnection }: Ending,
  { totalMs, keptBytes }: { totalMs: number; keptBytes: number },
): ExchangeOutcome | Promise<ExchangeOutcome> {
  const isCut = wasCutOff || received > keptBytes
  const outcome = {
    exchange,
    timing: { connect_ms: connectMs, headers_ms: headersMs, total_ms: totalMs },
    remoteAddress,
    ...(isEndless || error instanceof EndlessAnswerError ? { wasEndless: true as const } : {}),
    error,
    metClosedConnection,
  }
  if (answer === undefined) return { ...outcome, body: null, bodyTruncated: isCut }
  const kept = Buffer.concat(chunks).subarray(0, keptBytes)
  return readBody(kept, answer.headers, keptBytes, isCut).then((text) => ({ ...outcome, ...text }))
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

/**
 * undici (8.12) takes spaces after a Content-Length for digits (RFC 9110 §5.5 allows such spaces), and then misses
 * bytes.
 */
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

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

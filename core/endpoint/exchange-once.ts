import type { Agent, Dispatcher } from 'undici'
import type { AttemptTiming } from '../contract/webhooks/delivery.ts'
import type { BegunAnswer, Exchange } from '../domain/webhooks/answer/read-answer.ts'
import { DeadlineError } from './deadline-error.ts'
import type { DialledAddresses } from './dial.ts'
import {
  explainEnding,
  InterruptedError,
  isWholeAllTheSame,
  UnconnectedError,
  type Ending,
} from './exchange-ending.ts'
import { beginProgress, noteConnection, type Progress } from './exchange-progress.ts'
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

export type ExchangeOutcome = SendResult & Ending

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
    const progress = beginProgress()
    const run = startRun(progress, { clock, signal, keptBytes: limits.keptBytes }, resolve)
    if (run.isOver()) return
    const url = URL.parse(request.url)
    if (url === null) {
      run.end(NO_URL)
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
        onRequestStart: (controller) => {
          if (run.goesOn(controller)) addresses.next = takeConnection(progress, run, request)
        },
        ...noteAnswer(progress, limits, run),
        onResponseEnd: () => {
          if (progress.answer !== undefined) run.endWith(progress.answer)
        },
        onResponseError: (_controller, error) => {
          run.fail(error)
        },
      },
    )
  })
}

/** A running exchange. It ends once; whatever comes after its end changes nothing. */
interface Run {
  isOver: () => boolean
  /** milliseconds since the exchange began */
  since: () => number
  /** The request was given to a connection. @returns false if the exchange is over, and the request is taken back */
  goesOn: (controller: Dispatcher.DispatchController) => boolean
  /** Calls this when the exchange ends. */
  atEnd: (stop: () => void) => void
  end: (ending: Ending) => void
  endWith: (answer: BegunAnswer) => void
  /** Ends it by a failure, and closes the connection. */
  fail: (met: Error) => void
  /** Ends it with the answer so far, because no more of it is read. */
  cutOff: () => void
}

/** Starts the clock of an exchange, and ends it when its time is over or its caller gives up. */
function startRun(
  progress: Progress,
  order: { clock: ExchangeClock; signal: AbortSignal | undefined; keptBytes: number },
  resolve: (outcome: ExchangeOutcome | Promise<ExchangeOutcome>) => void,
): Run {
  const { signal, keptBytes } = order
  const { startedAt, timeoutMs } = order.clock
  let isOver = false
  let controller: Dispatcher.DispatchController | undefined
  let stopWatching: (() => void) | undefined
  const run: Run = {
    isOver: () => isOver,
    since: () => Math.round(performance.now() - startedAt),
    goesOn: (started) => {
      controller = started
      if (isOver) started.abort(new DeadlineError())
      return !isOver
    },
    atEnd: (stop) => {
      stopWatching = stop
    },
    end: (ending) => {
      if (isOver) return
      isOver = true
      clearTimeout(deadline)
      signal?.removeEventListener('abort', onAbort)
      stopWatching?.()
      resolve(readOutcome(progress, ending, { totalMs: run.since(), keptBytes }))
    },
    endWith: (answer) => {
      run.end({ exchange: { kind: 'answer', ...answer }, error: undefined, metClosedConnection: false })
    },
    fail: (met) => {
      const { answer, received } = progress
      if (answer !== undefined && isWholeAllTheSame(met, answer, received)) {
        run.endWith(answer)
        return
      }
      run.end(explainEnding(met, progress, { timeoutMs, hasLeft: controller !== undefined }))
      controller?.abort(met)
    },
    cutOff: () => {
      if (isOver) return
      progress.wasCutOff = true
      if (progress.answer === undefined) {
        run.fail(new EndlessAnswerError())
        return
      }
      run.endWith(progress.answer)
      controller?.abort(new Error('enough of the answer was read'))
    },
  }
  const onAbort = (): void => {
    run.fail(new InterruptedError())
  }
  const deadline = setTimeout(() => {
    // No connection within the time limit: probably a firewall that drops packets.
    run.fail(progress.head === undefined ? new UnconnectedError() : new DeadlineError())
  }, timeoutMs - run.since())
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  return run
}

/** Notes the connection that takes the request, before anything is written to it, and limits what comes over it. */
function takeConnection(
  progress: Progress,
  run: Run,
  { onlyTo }: WebhookRequest,
): NonNullable<DialledAddresses['next']> {
  return (socket, reused) => {
    noteConnection(progress, socket, reused ? undefined : run.since())
    const address = socket.remoteAddress ?? ''
    if (onlyTo?.includes(address) === false) {
      run.fail(new BlockedAddressError(address))
      return
    }
    const stop = limitAnswer(socket, !reused, () => {
      progress.isEndless = true
      run.cutOff()
    })
    run.atEnd(stop)
  }
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
  { since, cutOff }: Pick<Run, 'since' | 'cutOff'>,
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

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

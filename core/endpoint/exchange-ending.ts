import { errors } from 'undici'
import type { BegunAnswer, Exchange } from '../domain/webhooks/answer/read-answer.ts'
import { CertificateDemandedError, findAnswerFault } from './answer-fault.ts'
import type { Progress } from './exchange-progress.ts'
import { explainFailure } from './explain-failure.ts'

/** The end of an exchange. */
export interface Ending {
  exchange: Exchange
  /** the failure before it was put into words */
  error: Error | undefined
  /** whether the other side closed a kept connection before any answer, perhaps before it read anything */
  metClosedConnection: boolean
}

/**
 * Puts a failure into words.
 * @param at.hasLeft whether the request was given to a connection
 */
export function explainEnding(
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

/** The exchange's time was over before it had a connection. */
export class UnconnectedError extends Error {
  override readonly name = 'UnconnectedError'
  readonly code = 'ERR_UNCONNECTED'
}

/** The caller gave up; the endpoint is not to blame. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  readonly code = 'ERR_INTERRUPTED'
}

/**
 * undici (8.12) takes spaces after a Content-Length for digits (RFC 9110 §5.5 allows such spaces), and then misses
 * bytes.
 */
export function isWholeAllTheSame(met: Error, { headers }: BegunAnswer, received: number): boolean {
  return (
    met instanceof errors.ResponseContentLengthMismatchError && received === Number(headers['content-length'])
  )
}

function isClosedByOtherSide(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined
  if (code === 'ECONNRESET' || code === 'EPIPE') return true
  return error instanceof errors.SocketError && error.message === 'other side closed'
}

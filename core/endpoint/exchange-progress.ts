import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { BegunAnswer } from '../domain/webhooks/answer/read-answer.ts'
import { watchAnswerHead, type AnswerHead } from './answer-head.ts'

/** The progress of an exchange so far. */
export interface Progress {
  connectMs: number | null
  headersMs: number | null
  remoteAddress: string | null
  /** whether it was reused, so that the other side may have closed it before the request came */
  reusedConnection: boolean
  wasAskedForCertificate: boolean
  head: AnswerHead | undefined
  answer: BegunAnswer | undefined
  chunks: Buffer[]
  /** number of bytes of the body */
  received: number
  /** whether reading stopped because the answer is longer than needed */
  wasCutOff: boolean
  isEndless: boolean
}

/** The progress of an exchange that has just begun. */
export function beginProgress(): Progress {
  return {
    connectMs: null,
    headersMs: null,
    remoteAddress: null,
    reusedConnection: false,
    wasAskedForCertificate: false,
    head: undefined,
    answer: undefined,
    chunks: [],
    received: 0,
    wasCutOff: false,
    isEndless: false,
  }
}

/**
 * Notes the connection that the request was given to.
 * @param connectMs undefined if the connection was reused
 */
export function noteConnection(progress: Progress, socket: Socket, connectMs: number | undefined): void {
  progress.remoteAddress = socket.remoteAddress ?? null
  progress.reusedConnection = connectMs === undefined
  progress.connectMs = connectMs ?? null
  progress.head = watchAnswerHead(socket)
  progress.wasAskedForCertificate = connectMs !== undefined && hasDemandedCertificate(socket)
}

/** OpenSSL fills this list when the other side asks for a certificate, and leaves it empty otherwise. */
function hasDemandedCertificate(socket: Socket): boolean {
  return socket instanceof TLSSocket && socket.getSharedSigalgs().length > 0
}

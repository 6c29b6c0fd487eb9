import type { CertificationAttempt, StepResult } from '#core/contract/webhooks/certification.ts'
import type { Tempo } from '#core/domain/webhooks/certification/limits.ts'
import type { Message } from './build-request.ts'
import type { Sender } from './open-sender.ts'

/** The outcome of a case. */
export interface Tried {
  result: Extract<StepResult, 'passed' | 'failed' | 'skipped'>
  detail: string | null
  attempts: readonly CertificationAttempt[]
}

/** The parts that the cases of one run share. */
export interface Trial {
  sender: Sender
  tempo: Tempo
  /** requests that are sent at once */
  burst: number
  /** the longest answer to a single request so far, in milliseconds */
  slowestMs: number
  /** what the burst left to be sent again; undefined if another worker sent it */
  throttled: Throttled | undefined
  /** Waits until the next single request may begin. */
  pace: () => Promise<void>
  /** Waits, while the run's lease is extended. */
  wait: (ms: number) => Promise<void>
}

/** Messages that the endpoint answered with 429, and when it wants them again. */
export interface Throttled {
  messages: readonly Message[]
  /** milliseconds of the monotonic clock; undefined if an answer had no Retry-After that can be read */
  notBefore: number | undefined
}

export function passed(attempts: readonly CertificationAttempt[], detail: string | null = null): Tried {
  return { result: 'passed', detail, attempts }
}

export function failed(detail: string | null, attempts: readonly CertificationAttempt[]): Tried {
  return { result: 'failed', detail, attempts }
}

import { DeadlineError } from '../deadline-error.ts'
import type { AnswerLimits } from '../exchange-once.ts'
import { explainFailure, type Peer } from '../explain-failure.ts'

// The processes for exchanges load only this part of the token code: reading an answer needs much code that they never
// use.

/** A token answer is a few hundred bytes; a signed token with many claims a few thousand. */
const MAX_ANSWER_BYTES = 64 * 1024
export const TOKEN_ANSWER: AnswerLimits = { keptBytes: MAX_ANSWER_BYTES, readBytes: MAX_ANSWER_BYTES }

const TOKEN_ADDRESS: Peer = {
  name: 'the token address',
  many: 'token addresses',
  host: 'The host name of the token address',
  field: 'Token URL',
}

/** A failed exchange with a token address, in words for the client. */
export function explainTokenFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof DeadlineError) return `The token address did not answer within ${timeoutMs / 1000} s.`
  // One catalogue of network faults serves both addresses; only the party at fault differs.
  return explainFailure(error, timeoutMs, false, new Date(), TOKEN_ADDRESS).detail
}

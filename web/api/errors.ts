import type { FieldError, ProblemCode } from '#core/contract/problem.ts'

/** `network`: no answer came. `unexpected_answer`: the answer does not match the contract. */
export type ApiErrorCode = ProblemCode | 'network' | 'unexpected_answer'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  readonly errors: readonly FieldError[]
  /**
   * The answer's other members, if its route declares any (docs/contract.md §4); undefined without an answer.
   */
  readonly answer: unknown

  constructor(
    code: ApiErrorCode,
    status: number,
    message: string,
    errors: readonly FieldError[] = [],
    cause?: unknown,
    answer?: unknown,
  ) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.errors = errors
    this.answer = answer
  }
}

/** True for a 4xx answer: repeating the request would get the same. */
export function isRefusal(error: unknown) {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/** True if a rate limit was met. The answer's sentence says how long to wait. */
export function isTooOften(error: unknown) {
  return error instanceof ApiError && error.code === 'rate_limited'
}

/** True if nothing has this id. The server answers 422 to an id that no row can have. */
export function isNotFound(error: unknown) {
  return error instanceof ApiError && (error.status === 404 || error.status === 422)
}

/** Returns a sentence for the screen: the server's own if there is one. */
export function errorSentence(error: unknown) {
  if (!(error instanceof ApiError)) return 'Something unexpected happened.'
  if (error.code === 'network') return 'The server did not answer. Check your connection.'
  return error.message
}

import type { FieldError, ProblemCode } from '#core/contract/problem.ts'

/** `network`: no answer came. `unexpected_answer`: an answer that is not what the contract says. */
export type ApiErrorCode = ProblemCode | 'network' | 'unexpected_answer'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  readonly errors: readonly FieldError[]
  /** What the answer said beside its problem, where its route declares more (docs/contract.md §4); undefined where none came. */
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

/** A 4xx answer: asking again would get the same. */
export function isRefusal(error: unknown) {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/** A limit was met; the answer's sentence says how long to wait. */
export function isTooOften(error: unknown) {
  return error instanceof ApiError && error.code === 'rate_limited'
}

/** Nothing has this id: 422 is the answer to an id that no row could have. */
export function isNotFound(error: unknown) {
  return error instanceof ApiError && (error.status === 404 || error.status === 422)
}

/** A sentence for the screen: the server's own where it gave one. */
export function errorSentence(error: unknown) {
  if (!(error instanceof ApiError)) return 'Something unexpected happened.'
  if (error.code === 'network') return 'The server did not answer. Check your connection.'
  return error.message
}

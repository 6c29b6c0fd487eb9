import { z } from 'zod'
import { fieldErrorSchema, problemSchema } from '#core/contract/problem.ts'
import { ApiError } from './errors.ts'

const shownText = z.string().trim().min(1).optional().catch(undefined)

/** The readable part of a problem (RFC 9457), also from a newer server or from a proxy. */
const foreignProblemSchema = z.object({
  detail: shownText,
  title: shownText,
  errors: z.array(fieldErrorSchema).catch([]),
})

/**
 * Turns an answer into an error with a sentence for the screen. @param body as JSON; undefined if it was none
 */
export function readProblem(status: number, body: unknown): ApiError {
  const known = problemSchema.safeParse(body)
  if (known.success) {
    const { code, detail, errors } = known.data
    return new ApiError(code, status, detail, errors, undefined, body)
  }
  const foreign = foreignProblemSchema.safeParse(body)
  const { detail, title, errors = [] } = foreign.data ?? {}
  const sentence = detail ?? (title === undefined ? undefined : endSentence(title)) ?? describeStatus(status)
  return new ApiError('unexpected_answer', status, sentence, errors)
}

/** A title has no full stop, so we add one. */
function endSentence(title: string) {
  return /[.!?]$/.test(title) ? title : `${title}.`
}

/**
 * Describes an answer without words, mostly a proxy's page. The status helps whoever is asked for support.
 */
function describeStatus(status: number) {
  if (status === 413) return 'This is more than the server accepts at once.'
  if (status === 429) return 'Too many requests. Wait a minute, then try again.'
  if (status >= 502 && status <= 504)
    return `The service is not available at the moment (${status}). Try again in a minute.`
  if (status >= 500) return `Something went wrong on the server (${status}). Try again in a minute.`
  return `The server refused this and gave no reason (${status}). Reload the page and try again.`
}

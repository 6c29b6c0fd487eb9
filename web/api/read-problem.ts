import { z } from 'zod'
import { fieldErrorSchema, problemSchema } from '#core/contract/problem.ts'
import { ApiError } from './errors.ts'

const shownText = z.string().trim().min(1).optional().catch(undefined)

/** What people may read of a problem (RFC 9457), whoever wrote it: a server newer than this page, or what stands before the server. */
const foreignProblemSchema = z.object({
  detail: shownText,
  title: shownText,
  errors: z.array(fieldErrorSchema).catch([]),
})

/** The failure that an answer stands for, with a sentence for the screen. @param body as JSON; undefined where it was none */
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

/** A title has no full stop. */
function endSentence(title: string) {
  return /[.!?]$/.test(title) ? title : `${title}.`
}

/** An answer without words: a proxy's page, most of the time. The number is for whoever is asked for help. */
function describeStatus(status: number) {
  if (status === 413) return 'This is more than the server accepts at once.'
  if (status === 429) return 'Too many requests. Wait a minute, then try again.'
  if (status >= 502 && status <= 504)
    return `The service is not available at the moment (${status}). Try again in a minute.`
  if (status >= 500) return `Something went wrong on the server (${status}). Try again in a minute.`
  return `The server refused this and gave no reason (${status}). Reload the page and try again.`
}

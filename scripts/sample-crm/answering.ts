import { z } from 'zod'

/** Kinds of answers of the receiver, so that everyone can see how a sender handles them. */
export const ANSWER_MODES = [
  '200',
  '500',
  '429',
  '410',
  'slow',
  'redirect',
  'hang',
  'reset',
  'fail-next',
  'status',
  'says-no',
  'not-json',
] as const

const whole = (min: number, max: number, otherwise: number) =>
  z.coerce.number().int().min(min).max(max).default(otherwise)

/** Body of `POST /mode`, JSON or form. Missing members take their defaults. */
export const answeringSchema = z.object({
  mode: z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.enum(ANSWER_MODES)),
  retry_after_seconds: whole(0, 86_400, 30),
  slow_seconds: whole(0, 120, 5),
  fail_times: whole(0, 1000, 2),
  status: whole(400, 599, 422),
  refuse_unverified: z.preprocess(
    (value) => value === true || value === 'true' || value === 'on',
    z.boolean(),
  ),
})
export type Answering = z.infer<typeof answeringSchema>

/** The reaction to one request: an answer, possibly late, or none. */
export type Answer =
  | {
      readonly kind: 'respond'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly delaySeconds?: number
      /** replaces the message that the lead was received; text is sent as HTML */
      readonly body?: object | string
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' }

/** The page that a proxy or an expired session puts in front of the CRM. */
const SIGN_IN_PAGE =
  '<!doctype html><html lang="en"><title>Sign in</title><form><input name="password"></form></html>'

/** The answer of a mode. `failuresLeft` counts down in mode `fail-next`. */
export function chooseAnswer(answering: Answering, failuresLeft: number): Answer {
  switch (answering.mode) {
    case '200':
      return { kind: 'respond', status: 200 }
    case '500':
      return { kind: 'respond', status: 500 }
    case '429':
      return {
        kind: 'respond',
        status: 429,
        headers: { 'retry-after': String(answering.retry_after_seconds) },
      }
    case '410':
      return { kind: 'respond', status: 410 }
    case 'status':
      return { kind: 'respond', status: answering.status }
    // A 2xx whose body says that the CRM has not taken the lead.
    case 'says-no':
      return {
        kind: 'respond',
        status: 200,
        body: { success: false, error: 'This phone number is in the CRM already.' },
      }
    case 'not-json':
      return { kind: 'respond', status: 200, body: SIGN_IN_PAGE }
    case 'slow':
      return { kind: 'respond', status: 200, delaySeconds: answering.slow_seconds }
    case 'redirect':
      return { kind: 'respond', status: 302, headers: { location: '/webhooks/moved' } }
    case 'hang':
      return { kind: 'hang' }
    case 'reset':
      return { kind: 'reset' }
    case 'fail-next':
      return { kind: 'respond', status: failuresLeft > 0 ? 500 : 200 }
  }
}

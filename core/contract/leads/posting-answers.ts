import type { ProblemCode } from '../problem.ts'
import type { PostingAnswer } from './posting-spec.ts'

/** The answer to a source whose client is suspended. */
export const CLIENT_SUSPENDED =
  'The client whom this source names is suspended. Nothing is taken until the account is resumed.'

/** The answer to a source that is paused. */
export const SOURCE_PAUSED =
  'This source is paused. Nothing of this request was stored. Send it again once the source is resumed.'

const LEAD_ID = '01920000-0000-7000-8000-000000000001'

const problem = (
  status: number,
  code: ProblemCode,
  title: string,
  detail: string,
  errors: object[] = [],
): Record<string, unknown> => ({ type: 'about:blank', title, status, detail, code, errors })

/** The possible answers to a source that posts one lead (docs/contract.md §4). */
export const POSTING_ANSWERS: readonly PostingAnswer[] = [
  {
    status: 201,
    when: 'Accepted: the lead is stored. For a test, is_test is true. warnings lists fields that could not be kept',
    body: { result: 'accepted', lead_id: LEAD_ID },
  },
  {
    status: 200,
    when: 'Duplicate: you sent this external_id or Idempotency-Key before. The lead is not stored again',
    body: { result: 'duplicate', lead_id: LEAD_ID },
  },
  {
    status: 422,
    when: 'Rejected: errors names each fault with its field. Correct the lead and send it again',
    body: {
      ...problem(
        422,
        'validation_failed',
        'The input is not valid',
        'The lead has 1 fault(s) and was not stored.',
        [{ path: 'phone', message: 'Is not a valid phone number' }],
      ),
      result: 'rejected',
    },
  },
  {
    status: 401,
    when: 'The API key is missing, unknown or revoked. For a single lead without any key, the code is unauthenticated',
    body: problem(
      401,
      'invalid_api_key',
      'The API key is not valid',
      'This API key is unknown or was revoked.',
    ),
  },
  {
    status: 403,
    when: 'The client that the source names is suspended, or the source is paused, so nothing was stored. Send it again once that is over',
    body: problem(403, 'forbidden', 'Not allowed', CLIENT_SUSPENDED),
  },
  {
    status: 400,
    when: 'The body does not have the format that its Content-Type names',
    body: problem(400, 'malformed_body', 'The body cannot be read', 'The body is not valid JSON.'),
  },
  {
    status: 413,
    when: 'The body is too large. Send less at a time, and many leads as batches',
    body: problem(
      413,
      'body_too_large',
      'The body is too large',
      'The body is larger than this call accepts.',
    ),
  },
  {
    status: 415,
    when: 'The Content-Type is not supported, or names another charset than UTF-8',
    body: problem(
      415,
      'unsupported_media_type',
      'This content type is not accepted here',
      'Send the body as application/json, application/*+json, application/x-www-form-urlencoded.',
    ),
  },
  {
    status: 429,
    when: 'Too many leads in a minute, or too many of yours are waiting. Send it again after Retry-After seconds',
    body: problem(
      429,
      'rate_limited',
      'Too many requests',
      'Too many leads. Please wait 12 seconds and try again.',
    ),
  },
  {
    status: 503,
    when: 'The lead cannot be stored at the moment. Send it again after Retry-After seconds, with the same Idempotency-Key or external_id',
    body: problem(
      503,
      'unavailable',
      'Temporarily unavailable',
      'The service cannot reach its database. Please try again.',
    ),
  },
]

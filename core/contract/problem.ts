import { z } from 'zod'

/** Every code of a `problem+json` answer (RFC 9457); programs branch on it, so a code is never reused. */
export const PROBLEM_CODES = [
  'validation_failed',
  'malformed_body',
  'body_too_large',
  'unsupported_media_type',
  'unauthenticated',
  'invalid_token',
  'invalid_api_key',
  'invalid_signature',
  'forbidden',
  'mfa_required',
  'not_found',
  'method_not_allowed',
  'conflict',
  'version_conflict',
  'idempotency_key_reused',
  'unusable_endpoint',
  'too_many_webhooks',
  'too_many_orders',
  'rate_limited',
  'unavailable',
  'internal_error',
] as const

export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** One fault in the input: `path` is dotted (`custom_headers.Host`, `0.email`), empty for the whole body. */
export const fieldErrorSchema = z.object({ path: z.string(), message: z.string() })
export type FieldError = z.infer<typeof fieldErrorSchema>

/** The error body of every route under `/api/v1` (RFC 9457, docs/contract.md §4). */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(PROBLEM_CODES),
  errors: z.array(fieldErrorSchema),
})
export type Problem = z.infer<typeof problemSchema>

import { describeProblem } from '../http/errors/handle-errors.ts'
import { describeTooMany } from '../http/rate-limits.ts'
import type { Answer } from '../http/route.ts'
import type { IngestRate } from './ingest-rates.ts'

/**
 * The limit of a source and what is left of it, in the header fields of the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function rateHeaders(rate: IngestRate): Record<string, string> {
  return {
    'RateLimit-Policy': `"leads";q=${rate.limit};w=${rate.window_seconds}`,
    RateLimit: `"leads";r=${rate.remaining};t=${rate.reset_seconds}`,
  }
}

/** The answer to a source that has posted too many leads; nothing of the request is stored. */
export function answerTooMany(rate: IngestRate): Answer {
  const problem = describeProblem({
    code: 'rate_limited',
    status: 429,
    message: describeTooMany('leads', rate.reset_seconds),
    errors: [],
  })
  const headers = { ...rateHeaders(rate), 'Retry-After': String(rate.reset_seconds) }
  return { status: 429, json: problem, type: 'application/problem+json', headers }
}

import { isOpenHeader } from '../domain/webhooks/custom-headers.ts'
import type { WebhookRequest } from './prepare-request.ts'

/** Credentials for which a text is searched in the time that its characters take to write, where search is slowest. */
const SEARCHES = 8

/**
 * What one attempt took of the thread that makes and logs all of them, in characters: those read and written for its payload, and
 * what was said, once more for every eight headers of the client's own: each may be a credential that the log must not hold
 * (core/domain/webhooks/answer/hide-secrets.ts).
 * @param answer the body of the answer, as far as it was kept
 */
export function weighAttempt(
  { headers, body, weight = body.length }: WebhookRequest,
  answer: string | null,
): number {
  const searches = Object.keys(headers).filter((name) => !isOpenHeader(name)).length
  return weight + ((body.length + (answer?.length ?? 0)) * searches) / SEARCHES
}

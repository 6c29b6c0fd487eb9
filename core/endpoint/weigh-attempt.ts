import { countSearches } from '../domain/webhooks/answer/hide-secrets.ts'
import { listSecrets } from '../domain/webhooks/answer/redact-exchange.ts'
import type { SendResult } from './exchange-once.ts'
import type { WebhookRequest } from './prepare-request.ts'

/**
 * In the time that a text's characters take to write, it can be searched for this many credentials, even when search is
 * slowest.
 */
const SEARCHES = 8

/**
 * The load of one attempt, in characters, on the thread that makes and logs all attempts. It counts the characters read
 * and written for the payload, and the exchange's characters once for every eight searches for a credential that the
 * log must not hold (core/domain/webhooks/answer/hide-secrets.ts).
 * @param result the outcome; its `body` is the kept part of the answer's
 */
export function weighAttempt(
  { url, headers, body, weight = body.length }: WebhookRequest,
  { body: answer }: Pick<SendResult, 'body'>,
): number {
  const secrets = listSecrets(url, headers)
  const searched = [body, answer ?? ''].reduce(
    (sum, text) => sum + text.length * countSearches(secrets, text),
    0,
  )
  return weight + searched / SEARCHES
}

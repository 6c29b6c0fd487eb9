import { ERROR_CLASSES, type ErrorClass } from '#core/contract/webhooks/delivery.ts'
import { isUnanswered } from '#core/domain/webhooks/breaker.ts'
import { asCode, writeTable } from './write-table.ts'

/** A new class does not compile until it is explained here. */
const MEANINGS: Readonly<Record<ErrorClass, string>> = {
  dns: 'The host name could not be resolved',
  connect: 'No connection could be made: refused, no route, or no answer in time',
  tls: 'No secure connection could be made, usually because a certificate is expired, self-signed or for another name',
  timeout: 'The exchange took longer than the time limit',
  reset: 'The connection was closed before the end of the answer, or the answer was not HTTP',
  too_large: 'The headers of the answer, or the data before them, are too large to be read',
  redirect: 'The answer was a 3xx; redirects are not followed',
  blocked_address: 'Webhooks may not be sent to this address or port; nothing was sent',
  invalid_request: 'The webhook’s settings make no valid request, or too long a payload; nothing was sent',
  authentication: 'The token URL gave no access token; nothing was sent to the endpoint',
  http_4xx: 'The answer was a 4xx other than 410 and 429',
  http_5xx: 'The answer was a 5xx',
  http_other: 'The answer had a status that HTTP does not define',
  gone: 'The answer was 410: the webhook was switched off',
  throttled: 'The answer was 429: too many requests',
  refused_by_body: 'The status was 2xx, but by the success rule the body is not a yes',
  internal_error: 'A failure on our side; nothing was sent, and trying again did not help',
  sender_crashed:
    'A failure on our side: the sending process ended, even when it sent nothing else; it is not known whether the endpoint got the lead',
  mail_server:
    'A failure on our side: our mail server took no mail; it counts neither as an attempt nor against the webhook, and is tried again',
}

/** The reasons why an attempt may fail, and which failures open the breaker of an endpoint. */
export function listErrorClasses(): string {
  const rows = ERROR_CLASSES.map((name) => [
    asCode(name),
    MEANINGS[name],
    isUnanswered(name, null) ? 'yes' : name === 'http_5xx' ? 'only a 503' : 'no',
  ])
  return writeTable(['Error class', 'What it means', 'Counts towards the breaker'], rows)
}

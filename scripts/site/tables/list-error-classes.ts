import { ERROR_CLASSES, type ErrorClass } from '#core/contract/webhooks/delivery.ts'
import { isUnanswered } from '#core/domain/webhooks/breaker.ts'
import { asCode, writeTable } from './write-table.ts'

/** A class that is added must be explained here before anything compiles. */
const MEANINGS: Readonly<Record<ErrorClass, string>> = {
  dns: 'The host name could not be resolved',
  connect: 'No connection could be made: refused, no route, or no answer in time',
  tls: 'The secure connection could not be made, mostly for a certificate that is expired, self-signed or for another name',
  timeout: 'The whole exchange took longer than it may',
  reset: 'The connection was closed before the end of an answer, or what came was not HTTP',
  too_large: 'The headers of the answer, or what came before it, are too large to be read',
  redirect: 'The answer was a 3xx; redirects are not followed',
  blocked_address: 'The address or port is not one that webhooks may be sent to; nothing was sent',
  invalid_request: 'What is stored of the webhook makes no request, or too long a payload; nothing was sent',
  authentication: 'No access token could be had from the token URL; nothing was sent to the endpoint',
  http_4xx: 'The answer was a 4xx other than 410 and 429',
  http_5xx: 'The answer was a 5xx',
  http_other: 'The answer was a status that HTTP does not define for this',
  gone: 'The answer was 410: the webhook was switched off',
  throttled: 'The answer was 429: too many requests',
  refused_by_body: 'The status was 2xx, and by the success rule its body is not a yes',
  internal_error: 'A failure of ours; nothing was sent, and trying again did not help',
  sender_crashed:
    'A failure of ours: the process that was to send it ended, also when it sent nothing else; whether the endpoint got it is not known',
}

/** Why an attempt may fail, and which failures let the breaker of an endpoint open. */
export function listErrorClasses(): string {
  const rows = ERROR_CLASSES.map((name) => [
    asCode(name),
    MEANINGS[name],
    isUnanswered(name, null) ? 'yes' : name === 'http_5xx' ? 'only a 503' : 'no',
  ])
  return writeTable(['Error class', 'What it means', 'Counts towards the breaker'], rows)
}

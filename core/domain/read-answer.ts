import type { ErrorClass } from '../contract/delivery.ts'
import { readRetryAfter } from './retry-schedule.ts'

/** How one exchange with an endpoint ended: an HTTP answer, or the reason why there was none. */
export type Exchange =
  | { kind: 'answer'; status: number; headers: Readonly<Record<string, string>> }
  | { kind: 'failure'; errorClass: ErrorClass; detail: string }

/** What an exchange means for its delivery. `message` is a sentence that the client can act on. */
export type Verdict =
  | { outcome: 'delivered' }
  | {
      outcome: 'failed'
      errorClass: ErrorClass
      message: string
      /** only from 429 and 503 */
      retryAfterSeconds?: number
      /** set when the configuration must be switched off (410) */
      disable?: string
    }

/** CONTRACT.md §5 'Answers': 2xx is success, everything else a failure. */
export function readAnswer(exchange: Exchange, now: Date): Verdict {
  if (exchange.kind === 'failure') {
    return { outcome: 'failed', errorClass: exchange.errorClass, message: exchange.detail }
  }
  const { status, headers } = exchange
  if (status >= 200 && status < 300) return { outcome: 'delivered' }
  if (status === 410) {
    const message = '410: your endpoint says it is gone for good, so this webhook was switched off.'
    return { outcome: 'failed', errorClass: 'gone', message, disable: message }
  }
  const wait = status === 429 || status === 503 ? readRetryAfter(headers['retry-after'], now) : undefined
  return {
    outcome: 'failed',
    ...explainStatus(status, headers),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  }
}

const SENTENCES: Readonly<Record<number, string>> = {
  400: 'your endpoint could not read the request. Check Payload Format and Payload Template.',
  401: 'your endpoint refused the credentials. Check Custom Headers.',
  403: 'your endpoint refused access. Check Custom Headers and any address allow-list.',
  404: 'nothing answers at this address. Check Endpoint URL.',
  405: 'your endpoint does not accept this method. Check HTTP Method.',
  408: 'your endpoint gave up waiting for the request.',
  413: 'your endpoint says the payload is too large. Shorten Payload Template.',
  415: 'your endpoint does not accept this format. Check Payload Format.',
  422: 'your endpoint did not accept the values. Check Payload Template.',
  429: 'your endpoint asked to slow down.',
  502: 'a gateway before your endpoint had no answer from it.',
  503: 'your endpoint is not available right now.',
  504: 'a gateway before your endpoint waited too long for it.',
}

function explainStatus(
  status: number,
  headers: Readonly<Record<string, string>>,
): { errorClass: ErrorClass; message: string } {
  const errorClass = classOf(status)
  if (errorClass === 'redirect') {
    const to = headers['location'] === undefined ? '' : ' elsewhere'
    return {
      errorClass,
      message: `${status}: your endpoint redirects${to}; redirects are not followed. Put the final address in Endpoint URL.`,
    }
  }
  const fallback =
    status >= 500 ? 'your endpoint reported an error of its own.' : 'your endpoint refused the request.'
  return { errorClass, message: `${status}: ${SENTENCES[status] ?? fallback}` }
}

function classOf(status: number): ErrorClass {
  if (status === 429) return 'throttled'
  if (status >= 300 && status < 400) return 'redirect'
  if (status >= 400 && status < 500) return 'http_4xx'
  return status >= 500 && status < 600 ? 'http_5xx' : 'http_other'
}

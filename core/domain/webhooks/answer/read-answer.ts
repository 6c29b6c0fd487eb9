import type { ErrorClass } from '#core/contract/webhooks/delivery.ts'
import { explainRedirect } from './explain-redirect.ts'
import { explainWords, LONG_HEADERS } from './explain-words.ts'
import { judgeBody, type AnswerRules, type KeptBody } from './judge-body.ts'
import { readRetryAfter } from '../retry-schedule.ts'

/** An answer's status and headers; none if they could not be read. */
export interface BegunAnswer {
  status: number
  headers: Readonly<Record<string, string>>
}

/**
 * The end of one exchange with an endpoint: an HTTP answer, or the reason why there was none. `begun` is the received
 * part of an answer that broke off, or could not be read.
 */
export type Exchange =
  | ({ kind: 'answer' } & BegunAnswer)
  | {
      kind: 'failure'
      errorClass: ErrorClass
      detail: string
      begun?: BegunAnswer
      /** no further attempt can help */
      isFinal?: true
    }

/** The endpoint's answer, complete or not; undefined if there is no status. */
export function answerOf(exchange: Exchange): BegunAnswer | undefined {
  return exchange.kind === 'answer' ? exchange : exchange.begun
}

/** The consequence of an exchange for its delivery. `message` is a sentence that the client can act on. */
export type Verdict =
  | {
      state: 'delivered'
      /** null if there is no success rule */
      outcome: 'accepted' | 'duplicate' | null
      receiverId: string | null
    }
  | {
      state: 'failed'
      errorClass: ErrorClass
      message: string
      /** set if the success rule says so: a rejection is final and not tried again (docs/decisions/0013) */
      outcome?: 'rejected'
      /** set if no further attempt can help: a mail server refused the address for good */
      isFinal?: true
      /** only from 429 and 503 */
      retryAfterSeconds?: number
      /** set if the configuration must be switched off (410, or a mail address that nobody of the account has any more) */
      disable?: string
    }

/** Replaces the reason to switch a configuration off if it was changed since: it may have another address by now. */
export const GONE_BUT_CHANGED =
  '410: your endpoint says it is gone. This webhook was changed meanwhile, so it stays switched on.'

/** An answer's body with the rules to read it by, and the address that was asked. */
export type RuledBody = AnswerRules & KeptBody & { asked?: string }

/**
 * docs/contract.md §5 'Answers': 2xx is success, everything else a failure. A configuration's success rule may find a
 * rejection in the body of a 2xx.
 */
export function readAnswer(exchange: Exchange, now: Date, ruled?: RuledBody): Verdict {
  if (exchange.kind === 'failure') {
    const { errorClass, detail: message, isFinal } = exchange
    return {
      state: 'failed',
      errorClass,
      message,
      ...(isFinal === true && { isFinal }),
      ...(errorClass === 'gone' && { disable: message }),
    }
  }
  const { status, headers } = exchange
  if (status >= 200 && status < 300) return readBody(status, ruled)
  if (status === 410) {
    const said = explainWords(status, ruled?.body ?? '')
    const message =
      said === undefined
        ? '410: your endpoint says it is gone, so this webhook was switched off. Put its new address in Endpoint URL if its answer does not say why, and activate it again.'
        : `410: ${said} This webhook was switched off, too; activate it again.`
    return { state: 'failed', errorClass: 'gone', message, disable: message }
  }
  const wait = status === 429 || status === 503 ? readRetryAfter(headers['retry-after'], now) : undefined
  return {
    state: 'failed',
    ...explainStatus(status, headers, ruled),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  }
}

function readBody(status: number, ruled: RuledBody | undefined): Verdict {
  if (ruled === undefined) return { state: 'delivered', outcome: null, receiverId: null }
  const judgement = judgeBody(ruled, ruled)
  switch (judgement.outcome) {
    case 'rejected':
      return {
        state: 'failed',
        errorClass: 'refused_by_body',
        message: `${status}: your endpoint took the request, but its answer says no: ${judgement.because}. It is not sent again by itself.`,
        outcome: 'rejected',
      }
    case 'unclear':
      return {
        state: 'failed',
        errorClass: 'refused_by_body',
        message: `${status}: your endpoint took the request, but its answer is not the one the success rule asks for: ${judgement.because}.`,
      }
    default:
      return { state: 'delivered', outcome: judgement.outcome, receiverId: judgement.receiverId }
  }
}

const SILENT =
  'your endpoint, or a gateway before it, had no valid answer from what is behind it. If its answer does not say why, check that the program there runs, and look into its log.'
const SLOW =
  'your endpoint, or a gateway before it, waited too long for what is behind it. If its answer does not say why, let it answer first and do its work afterwards.'
const UNTRUSTED =
  'a gateway before your endpoint could not secure its connection to it. Check the certificate of the server behind it if its answer does not say why.'
/**
 * Sentences for a status alone. Programs use any status for reasons of their own, so none of them names a cause for
 * certain: the answer's own words take precedence.
 */
const SENTENCES: Readonly<Record<number, string>> = {
  400: 'your endpoint did not accept the request. Check Payload Format and Payload Template if its answer does not say why.',
  401: 'your endpoint does not let us in. If its answer does not say why, compare its secret with Signing secret under Edit, and check Authentication, Custom Headers and any key in Endpoint URL.',
  403: 'your endpoint refused access. Check Custom Headers and any address allow-list if its answer does not say why.',
  404: 'your endpoint found nothing for this request. Check Endpoint URL if its answer does not say why.',
  405: 'your endpoint does not accept this method here. Check Endpoint URL and HTTP Method if its answer does not say why.',
  408: 'your endpoint gave up waiting. Look into its log, and any proxy before it, if its answer does not say why.',
  413: 'your endpoint says the payload is too large. Shorten Payload Template if its answer does not say why.',
  415: 'your endpoint does not accept this format. Check Payload Format if its answer does not say why.',
  422: 'your endpoint did not accept the values. Check Payload Template if its answer does not say why.',
  429: 'your endpoint asked to slow down, or its limit is used up. Leadwire waits as long as it asks; raise that limit if its answer does not say why.',
  431: LONG_HEADERS,
  501: 'your endpoint says that it cannot do this. Check HTTP Method if its answer does not say why.',
  502: SILENT,
  503: 'your endpoint is not available right now. Check that it runs and is not in maintenance if its answer does not say why.',
  504: SLOW,
  // Cloudflare's own (developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors).
  521: SILENT,
  522: SILENT,
  523: SILENT,
  524: SLOW,
  525: UNTRUSTED,
  526: UNTRUSTED,
}

function explainStatus(
  status: number,
  headers: Readonly<Record<string, string>>,
  { body, asked }: Partial<RuledBody> = {},
): { errorClass: ErrorClass; message: string } {
  const errorClass = classOf(status)
  if (errorClass === 'redirect')
    return { errorClass, message: `${status}: ${explainRedirect(status, headers['location'], asked)}` }
  const fallback =
    status >= 500
      ? 'your endpoint reported an error of its own. Look into its log if its answer does not say why.'
      : 'your endpoint refused the request. Its answer may say why.'
  return {
    errorClass,
    message: `${status}: ${explainWords(status, body ?? '') ?? SENTENCES[status] ?? fallback}`,
  }
}

function classOf(status: number): ErrorClass {
  if (status === 429) return 'throttled'
  if (status >= 300 && status < 400) return 'redirect'
  if (status >= 400 && status < 500) return 'http_4xx'
  return status >= 500 && status < 600 ? 'http_5xx' : 'http_other'
}

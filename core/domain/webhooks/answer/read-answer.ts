import type { ErrorClass } from '#core/contract/webhooks/delivery.ts'
import { judgeBody, type AnswerRules, type KeptBody } from './judge-body.ts'
import { readRetryAfter } from '../retry-schedule.ts'

/** An answer's status and headers; none where they could not be read. */
export interface BegunAnswer {
  status: number
  headers: Readonly<Record<string, string>>
}

/**
 * How one exchange with an endpoint ended: an HTTP answer, or the reason why there was none; `begun` is the part
 * that had come of an answer that broke off, or could not be read.
 */
export type Exchange =
  | ({ kind: 'answer' } & BegunAnswer)
  | { kind: 'failure'; errorClass: ErrorClass; detail: string; begun?: BegunAnswer }

/** The endpoint's answer, to its end or not; undefined where there is no status. */
export function answerOf(exchange: Exchange): BegunAnswer | undefined {
  return exchange.kind === 'answer' ? exchange : exchange.begun
}

/** What an exchange means for its delivery. `message` is a sentence that the client can act on. */
export type Verdict =
  | {
      state: 'delivered'
      /** null where no success rule was asked */
      outcome: 'accepted' | 'duplicate' | null
      receiverId: string | null
    }
  | {
      state: 'failed'
      errorClass: ErrorClass
      message: string
      /** set when the success rule says so: a no is final, it is not tried again (docs/decisions/0013) */
      outcome?: 'rejected'
      /** only from 429 and 503 */
      retryAfterSeconds?: number
      /** set when the configuration must be switched off (410) */
      disable?: string
    }

/** In place of the reason to switch a configuration off that was changed since: it may have another address by now. */
export const GONE_BUT_CHANGED =
  '410: your endpoint says it is gone for good. This webhook was changed meanwhile, so it stays switched on.'

/** A 2xx answer's body with the rules to read it by. */
export type RuledBody = AnswerRules & KeptBody

/**
 * docs/contract.md §5 'Answers': 2xx is success, everything else a failure. A configuration's success rule may find a no in the
 * body of a 2xx.
 */
export function readAnswer(exchange: Exchange, now: Date, ruled?: RuledBody): Verdict {
  if (exchange.kind === 'failure') {
    return { state: 'failed', errorClass: exchange.errorClass, message: exchange.detail }
  }
  const { status, headers } = exchange
  if (status >= 200 && status < 300) return readBody(status, ruled)
  if (status === 410) {
    const message =
      '410: your endpoint says it is gone for good, so this webhook was switched off. Put its new address in Endpoint URL and activate it again.'
    return { state: 'failed', errorClass: 'gone', message, disable: message }
  }
  const wait = status === 429 || status === 503 ? readRetryAfter(headers['retry-after'], now) : undefined
  return {
    state: 'failed',
    ...explainStatus(status, headers, ruled?.body ?? ''),
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

const LONG_HEADERS = 'your endpoint says that the headers are too large. Shorten Custom Headers.'
const OTHER_METHOD = 'your endpoint does not accept this method. Check HTTP Method.'
const SILENT = 'a gateway before your endpoint had no answer from it. Check that the program behind it runs.'
const SLOW =
  'a gateway before your endpoint waited too long for it. Let it answer first and do its work afterwards.'
const UNTRUSTED =
  'a gateway before your endpoint could not secure its connection to it. Check the certificate of the server behind it.'
const SENTENCES: Readonly<Record<number, string>> = {
  400: 'your endpoint could not read the request. Check Payload Format and Payload Template.',
  401: 'your endpoint refused the credentials or the signature. Compare its secret with Signing secret under Edit. Check Custom Headers and Authentication.',
  403: 'your endpoint refused access. Check Custom Headers and any address allow-list.',
  404: 'nothing answers at this address. Check Endpoint URL.',
  405: OTHER_METHOD,
  408: 'your endpoint gave up waiting for the request. Look into its log, and any proxy before it.',
  413: 'your endpoint says the payload is too large. Shorten Payload Template.',
  415: 'your endpoint does not accept this format. Check Payload Format.',
  422: 'your endpoint did not accept the values. Check Payload Template.',
  429: 'your endpoint asked to slow down. Leadwire waits as long as it asks; raise its limit if leads come late.',
  431: LONG_HEADERS,
  502: SILENT,
  503: 'your endpoint is not available right now. Check that it runs and is not in maintenance.',
  504: SLOW,
  // Cloudflare's own (developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors).
  521: SILENT,
  522: SILENT,
  523: SILENT,
  524: SLOW,
  525: UNTRUSTED,
  526: UNTRUSTED,
}

const SPEAKS_TLS = 'your endpoint speaks TLS on this port. Let Endpoint URL begin with https://.'
/** Phrases by which web servers and Make (400), Amazon and Salesforce (403) answer by themselves: the program behind has seen nothing. */
const SAID_BY_SERVERS: readonly (readonly [RegExp, string])[] = [
  [
    /no required ssl certificate/i,
    'your endpoint asks for a client certificate. Add one under Certificates.',
  ],
  [/the ssl certificate error/i, 'your endpoint did not accept the client certificate. Check Certificates.'],
  [/plain http request was sent to https|speaking plain http to an ssl-enabled/i, SPEAKS_TLS],
  [/request header or cookie too large|size of a request header field exceeds/i, LONG_HEADERS],
  [/size of the request headers is too long|request header is too large/i, LONG_HEADERS],
  [
    /bad request - invalid url|invalid character found in the request target/i,
    'your endpoint does not accept this address. Check Endpoint URL.',
  ],
  [/bad request - invalid hostname/i, 'your endpoint does not know this host name. Check Endpoint URL.'],
  // Amazon's API Gateway says so for any address that it does not know.
  [
    /^\s*\{"message":\s*"missing authentication token"\}/i,
    'your endpoint has no such address or method, or wants other credentials. Check Endpoint URL and HTTP Method, then Authentication.',
  ],
  // Salesforce's daily limit, and Make's queue while a scenario stands still.
  [
    /request_limit_exceeded/i,
    'your endpoint says that its limit of requests is used up. Raise it, or wait until it is counted anew.',
  ],
  [
    /^\s*queue is full/i,
    'your endpoint says that its queue is full. Check that the program, or the scenario, that empties it runs.',
  ],
  [/distribution is not configured to allow the http request method/i, OTHER_METHOD],
  [/sent an http request to an https server|host and port requires tls/i, SPEAKS_TLS],
]

/** Phrases by which GoHighLevel, Salesforce, Mailchimp, HubSpot, Rails and Laravel refuse somebody whom they know. */
const HAS_IT =
  /already (?:exists?|in use|been taken|registered)|duplicates?_(?:detected|data|value)(?!"\s*:)|duplicated contacts|duplicate (?:contact|lead|record|entry|email|phone)|member exists/i
const DUPLICATE =
  'your endpoint seems to have this lead already. Let it accept duplicates, or answer 200 to them.'

function explainStatus(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): { errorClass: ErrorClass; message: string } {
  const errorClass = classOf(status)
  if (errorClass === 'redirect')
    return { errorClass, message: `${status}: ${explainRedirect(status, headers['location'])}` }
  const fallback =
    status >= 500
      ? 'your endpoint reported an error of its own. Look into its log.'
      : 'your endpoint refused the request. Its answer may say why.'
  const said =
    status === 400 || status === 403 ? SAID_BY_SERVERS.find(([words]) => words.test(body))?.[1] : undefined
  if (said === undefined && [400, 409, 422].includes(status) && HAS_IT.test(body))
    return { errorClass, message: `${status}: ${DUPLICATE}` }
  return { errorClass, message: `${status}: ${said ?? SENTENCES[status] ?? fallback}` }
}

/** Only five of the 3xx lead elsewhere, and only where they say to where (RFC 9110 §15.4). */
function explainRedirect(status: number, location: string | undefined): string {
  if (status === 304)
    return 'your endpoint says that nothing has changed, which answers a question that was not asked. Let it, or a cache before it, answer POST, PUT and PATCH with 200.'
  if (location === undefined || ![300, 301, 302, 303, 307, 308].includes(status))
    return 'your endpoint answered with a redirect that leads nowhere. Let it answer 200, or put the final address in Endpoint URL.'
  const host = URL.parse(location)?.hostname ?? ''
  // developers.google.com/apps-script/guides/content#redirects: the script has run, and a second address would tell what it returned.
  if (host === 'script.googleusercontent.com')
    return 'your Google Apps Script has run, and redirects to what it returns; redirects are not followed, so it would get this lead again and again. Let doPost end with: return HtmlService.createHtmlOutput("ok"). That answers 200; ContentService never does.'
  if (host === 'accounts.google.com')
    return 'your endpoint asks for a Google account, so nothing has run. Deploy the Apps Script with access for “Anyone”, and put the address of that deployment in Endpoint URL.'
  return `your endpoint redirects${describeTarget(location)}; redirects are not followed. Put the final address in Endpoint URL.`
}

/**
 * Where a redirect leads: its host, and the first step of its path where that is a plain word (`/login`). The rest, and the
 * query, may hold credentials or a person's name, and are never repeated.
 */
function describeTarget(location: string): string {
  if (location.length > 2048) return ''
  // Relative ones are relative to the endpoint, which the reader knows.
  const target = URL.parse(location, 'https://relative.invalid')
  if (target === null || !/^https?:$/.test(target.protocol)) return ' elsewhere'
  const host = target.hostname === 'relative.invalid' ? '' : `${target.protocol}//${target.host}`
  // A slash at the end may be all that the address lacks.
  const [, word = ''] = /^(\/[a-z-]{1,12}(?:\/$)?)(?=\/|$)/.exec(target.pathname) ?? []
  const shown = word === '' ? '/' : word
  const hasMore = target.pathname.length > shown.length
  return ` to ${host.slice(0, 200)}${shown}${hasMore ? '…' : ''}`
}

function classOf(status: number): ErrorClass {
  if (status === 429) return 'throttled'
  if (status >= 300 && status < 400) return 'redirect'
  if (status >= 400 && status < 500) return 'http_4xx'
  return status >= 500 && status < 600 ? 'http_5xx' : 'http_other'
}

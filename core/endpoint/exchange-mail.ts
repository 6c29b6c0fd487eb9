import { describeMailFailure, readMailFailure } from '../domain/mail/read-mail-failure.ts'
import { blamesMailServer, judgeMailFailure, type MailFailure } from '../domain/mail/judge-mail-failure.ts'
import { NO_ANSWER } from '../domain/webhooks/by-mail/mail-server-retries.ts'
import type { Exchange } from '../domain/webhooks/answer/read-answer.ts'
import { KEPT_BODY_BYTES, type SendResult } from './exchange-once.ts'
import { createFairSemaphore } from './isolated/fair-semaphore.ts'
import type { WebhookRequest } from './prepare-request.ts'

/** Hands a mail to the installation's mail server, and returns its reply; the failure is nodemailer's. */
export interface MailCarrier {
  send: (mail: { headers: WebhookRequest['headers']; text: string }, limitMs: number) => Promise<string>
  /** mails that it can have under way at once; further ones would wait in its queue */
  atOnce: number
  close: () => void
}

/** Sends one mail for a client. Every failure is a result, never a rejection. */
export type ExchangeMail = (client: string, request: WebhookRequest) => Promise<SendResult>

/**
 * Sends deliveries by mail. The mail server's reply is the answer: its code the status, its words the body. A mail waits
 * half of its time at most for those before it, so that none is broken off half sent because others were slow; clients
 * take turns.
 * @param carrier undefined if the installation has no mail server
 * @param onTrouble told, in codes, why the mail server took no mail
 */
export function createExchangeMail(
  carrier: MailCarrier | undefined,
  timeoutMs: number,
  onTrouble: (failure: string) => void,
): ExchangeMail {
  if (carrier === undefined)
    return async () => {
      onTrouble('no SMTP_URL')
      return await Promise.resolve(fail('mail_server', NO_SERVER, 0))
    }
  const line = createFairSemaphore(carrier.atOnce)
  return async (client, request) => {
    const startedAt = performance.now()
    const tookMs = (): number => performance.now() - startedAt
    const leave = await line.enter(client, timeoutMs / 2)
    if (leave === undefined) {
      onTrouble('too slow for the mails that wait')
      return fail('internal_error', NO_ROOM, tookMs())
    }
    try {
      const { exchange, words } = await send(carrier, request, timeoutMs - tookMs(), onTrouble)
      return describe(exchange, words, tookMs())
    } finally {
      leave(0)
    }
  }
}

async function send(
  carrier: MailCarrier,
  { headers, body: text }: WebhookRequest,
  limitMs: number,
  onTrouble: (failure: string) => void,
): Promise<{ exchange: Exchange; words: string | null }> {
  try {
    const reply = await carrier.send({ headers, text }, Math.round(limitMs))
    return { exchange: { kind: 'answer', status: statusOf(reply), headers: {} }, words: reply }
  } catch (error) {
    const failure = readMailFailure(error)
    if (!blamesMailServer(failure)) return { exchange: explain(failure), words: wordsOf(error) }
    onTrouble(describeMailFailure(failure))
    // Its words, about a wrong password for example, are for the operator.
    return { exchange: explainOurs(failure, error), words: null }
  }
}

function fail(errorClass: 'mail_server' | 'internal_error', detail: string, tookMs: number): SendResult {
  return describe({ kind: 'failure', errorClass, detail }, null, tookMs)
}

function describe(exchange: Exchange, words: string | null, tookMs: number): SendResult {
  return {
    exchange,
    body: words?.replaceAll('\0', '').slice(0, KEPT_BODY_BYTES) ?? null,
    bodyTruncated: false,
    timing: { connect_ms: null, headers_ms: null, total_ms: Math.round(tookMs) },
    remoteAddress: null,
  }
}

const NO_ROOM =
  'Nothing was sent: more mails were waiting than our mail server takes in time. Try again in a moment.'
const NO_SERVER = 'Nothing was sent: this installation has no mail server. This is our failure, not yours.'

/** Three digits begin every reply (RFC 5321 §4.2); a server that accepted a mail without them said 250. */
function statusOf(reply: string): number {
  const [digits] = /^2\d\d/.exec(reply) ?? []
  return digits === undefined ? 250 : Number(digits)
}

function wordsOf(error: unknown): string | null {
  return error instanceof Error && 'response' in error && typeof error.response === 'string'
    ? error.response
    : null
}

type Failure = Extract<Exchange, { kind: 'failure' }>

/** The mail server refused this mail, for good or just then. */
function explain(failure: MailFailure): Failure {
  const codes = [failure.reply, failure.status].filter((part) => part !== undefined).join(' ')
  return judgeMailFailure(failure) === 'refused'
    ? {
        kind: 'failure',
        errorClass: 'http_other',
        detail: `${codes}: the mail server refused this mail for good, so it is not sent again by itself. Its reply says why. If the address is wrong, change Endpoint URL.`,
        isFinal: true,
        ...begun(failure),
      }
    : {
        kind: 'failure',
        errorClass: 'http_other',
        detail: `${codes}: the mail server did not take this mail just then. Its reply says why.`,
        ...begun(failure),
      }
}

/** The mail server takes no mail from us. */
function explainOurs(failure: MailFailure, error: unknown): Failure {
  const code = failure.reply === undefined ? '' : ` (${failure.reply})`
  return {
    kind: 'failure',
    errorClass: 'mail_server',
    detail: `${wordOurs(failure, error)}${code}. This is our failure, not yours.`,
    ...begun(failure),
  }
}

/** nodemailer's names of what took too long before a mail was begun. */
const BEFORE_MAIL = ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']

function wordOurs({ code }: MailFailure, error: unknown): string {
  if (code !== 'ETIMEDOUT' && code !== 'EABORT') return 'Our mail server took no mail just then'
  const isUnreached =
    error instanceof Error && 'timeoutType' in error && BEFORE_MAIL.some((type) => type === error.timeoutType)
  return isUnreached ? 'Our mail server could not be reached in time' : NO_ANSWER
}

function begun({ reply }: MailFailure): Pick<Failure, 'begun'> {
  return reply === undefined ? {} : { begun: { status: reply, headers: {} } }
}

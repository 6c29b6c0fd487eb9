import { readMailFailure } from '../domain/mail/read-mail-failure.ts'
import { judgeMailFailure, type MailFailure } from '../domain/mail/judge-mail-failure.ts'
import type { Exchange } from '../domain/webhooks/answer/read-answer.ts'
import { KEPT_BODY_BYTES, type SendResult } from './exchange-once.ts'
import type { WebhookRequest } from './prepare-request.ts'

/** Hands a mail to the installation's mail server, and returns its reply; the failure is nodemailer's. */
export interface MailCarrier {
  send: (mail: { headers: WebhookRequest['headers']; text: string }, limitMs: number) => Promise<string>
  close: () => void
}

/**
 * Sends a delivery by mail. The mail server's reply is the answer: its code the status, its words the body. Every
 * failure is a result, never a rejection.
 * @param carrier undefined if the installation has no mail server
 */
export async function exchangeMail(
  carrier: MailCarrier | undefined,
  { headers, body: text }: WebhookRequest,
  timeoutMs: number,
): Promise<SendResult> {
  const startedAt = performance.now()
  const end = (exchange: Exchange, words: string | null): SendResult => ({
    exchange,
    body: words?.slice(0, KEPT_BODY_BYTES) ?? null,
    bodyTruncated: false,
    timing: { connect_ms: null, headers_ms: null, total_ms: Math.round(performance.now() - startedAt) },
    remoteAddress: null,
  })
  if (carrier === undefined) return end({ kind: 'failure', errorClass: 'connect', detail: NO_SERVER }, null)
  try {
    const reply = await carrier.send({ headers, text }, timeoutMs)
    return end({ kind: 'answer', status: statusOf(reply), headers: {} }, reply)
  } catch (error) {
    const failure = readMailFailure(error)
    const verdict = judgeMailFailure(failure)
    // An answer about us, a wrong password for example, is for the operator.
    const words = verdict === 'unserved' ? null : wordsOf(error)
    return end(explain(failure, verdict), words)
  }
}

const NO_SERVER =
  'Nothing was sent: this installation has no mail server. Use an https:// address in Endpoint URL.'

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

const TIMEOUTS = ['ETIMEDOUT', 'EABORT']

function explain(
  { code, reply, status }: MailFailure,
  verdict: ReturnType<typeof judgeMailFailure>,
): Extract<Exchange, { kind: 'failure' }> {
  const codes = [reply, status].filter((part) => part !== undefined).join(' ')
  const begun = reply === undefined ? {} : { begun: { status: reply, headers: {} } }
  switch (verdict) {
    case 'refused':
      return {
        kind: 'failure',
        errorClass: 'http_other',
        detail: `${codes}: the mail server refused this mail for good, so it is not sent again by itself. Its reply says why. If the address is wrong, change Endpoint URL.`,
        isFinal: true,
        ...begun,
      }
    case 'deferred':
      return {
        kind: 'failure',
        errorClass: 'http_other',
        detail: `${codes}: the mail server did not take this mail just then. Its reply says why.`,
        ...begun,
      }
    case 'unserved':
      return {
        kind: 'failure',
        errorClass: TIMEOUTS.includes(code) ? 'timeout' : 'connect',
        detail: TIMEOUTS.includes(code)
          ? 'Our mail server did not answer in time. This is our failure, not yours.'
          : 'Our mail server took no mail just then. This is our failure, not yours.',
        ...begun,
      }
  }
}

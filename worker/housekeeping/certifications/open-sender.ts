import { randomBytes } from 'node:crypto'
import type { CertificationAttempt } from '#core/contract/webhooks/certification.ts'
import { redactExchange } from '#core/domain/webhooks/answer/redact-exchange.ts'
import { answerOf, readAnswer } from '#core/domain/webhooks/answer/read-answer.ts'
import { isNonce, showsChallenge } from '#core/domain/webhooks/certification/judge-proof.ts'
import { KEPT_ANSWER } from '#core/domain/webhooks/certification/limits.ts'
import { readRetryAfter } from '#core/domain/webhooks/retry-schedule.ts'
import type { EndpointAccess } from '#core/endpoint/endpoint-access.ts'
import { isOurs } from '#core/endpoint/own-shortage.ts'
import type { WebhookRequest } from '#core/endpoint/prepare-request.ts'
import type { AuthorisedResult } from '#core/endpoint/authorise/send-authorised.ts'
import type { Transport } from '#core/endpoint/transport.ts'
import {
  buildChallengeRequest,
  buildRequest,
  newMessage,
  type Message,
  type RunSettings,
  type Variation,
} from './build-request.ts'
import { OwnShortage, StopRun } from './stop-run.ts'

/** Limit of proofs in a run: an endpoint with several addresses proves each of them. */
const MOST_PROOFS = 8

/** One request and its answer. */
export interface Sent {
  attempt: CertificationAttempt
  status: number | null
  isDelivered: boolean
  /** a sentence for the client; null if it was delivered */
  message: string | null
  retryAfterSeconds: number | undefined
}

export interface Sender {
  /** Asks the endpoint to prove that it is the client's. @throws StopRun */
  prove: () => Promise<CertificationAttempt[]>
  /**
   * Sends a request to an address that has proved itself; another address of the same name must do so first.
   * @param given.mayThrottle whether a 429 is an answer to be judged, not the end of the run
   * @param given.hangUp ends the exchange; its outcome then means nothing
   * @param given.hangUpMs ends it so long after it began
   * @throws StopRun, OwnShortage
   */
  send: (
    message: Message,
    given?: Variation & { mayThrottle?: boolean; hangUp?: AbortSignal; hangUpMs?: number },
  ) => Promise<Sent>
}

export type SenderOptions = RunSettings & {
  access: EndpointAccess
  transport: Transport
  /** what the endpoint's host may show to prove that it is the client's */
  challenge: string
  signal: AbortSignal
  /** runs before each exchange */
  beforeEach: () => Promise<void>
}

/** The way of one run to its endpoint. It stops the run at the first 503, time-out, or 429 that was not asked for. */
export function openSender(options: SenderOptions): Sender {
  const { transport, client, access, challenge, beforeEach } = options
  const proved = new Set<string>()
  let proofs = 0

  async function exchange(
    request: WebhookRequest,
    { hangUp, hangUpMs }: { hangUp?: AbortSignal | undefined; hangUpMs?: number | undefined } = {},
  ): Promise<AuthorisedResult & { isHungUp: boolean }> {
    await beforeEach()
    const ends = [hangUp, hangUpMs === undefined ? undefined : AbortSignal.timeout(hangUpMs)].filter(
      (end) => end !== undefined,
    )
    const signal = ends.length === 0 ? options.signal : AbortSignal.any([options.signal, ...ends])
    const result = await transport.send(request, { client, access, signal })
    options.signal.throwIfAborted()
    if (isOurs(result.exchange)) throw new OwnShortage()
    return {
      ...result,
      isHungUp: result.exchange.kind === 'failure' && ends.some(({ aborted }) => aborted),
    }
  }

  async function prove(): Promise<CertificationAttempt[]> {
    proofs += 1
    if (proofs > MOST_PROOFS) throw new StopRun('address_changed', TOO_MANY_ADDRESSES)
    const nonce = randomBytes(24).toString('base64url')
    const asked = await exchange(buildRequest(options, newMessage(), { nonce }))
    const first = describe(asked, options)
    stopAt(first, [first.attempt])
    if (asked.exchange.kind === 'failure')
      throw new StopRun('unreachable', first.message ?? '', [first.attempt])
    if (isSuccess(first.status) && isNonce(asked.body, nonce)) return note(asked, [first.attempt])
    const found = await exchange(buildChallengeRequest(options, challenge))
    const second = describe(found, options)
    const attempts = [first.attempt, second.attempt]
    stopAt(second, attempts)
    if (isSuccess(second.status) && showsChallenge(found.body, challenge)) return note(found, attempts)
    throw new StopRun('unproved', UNPROVED, attempts)
  }

  function note(
    { remoteAddress }: AuthorisedResult,
    attempts: CertificationAttempt[],
  ): CertificationAttempt[] {
    if (remoteAddress !== null) proved.add(remoteAddress)
    return attempts
  }

  return {
    prove,
    send: async (message, { mayThrottle = false, hangUp, hangUpMs, ...variation } = {}) => {
      for (;;) {
        const request = { ...buildRequest(options, message, variation), onlyTo: [...proved] }
        const result = await exchange(request, { hangUp, hangUpMs })
        const { remoteAddress } = result
        if (remoteAddress !== null && !proved.has(remoteAddress)) {
          // Nothing was written to it. The other requests of a burst may meet it at the same moment.
          await prove()
          continue
        }
        const sent = describe(result, options)
        if (result.isHungUp) return sent
        if (sent.status !== 429 || !mayThrottle) stopAt(sent, [sent.attempt])
        return sent
      }
    },
  }
}

const UNPROVED =
  'The endpoint did not show that it is yours: it neither answered with the value of the header leadwire-challenge, nor is the challenge at the address above. Nothing else was sent.'
const TOO_MANY_ADDRESSES =
  'The endpoint’s name leads to more addresses than a certification can check. Nothing was sent to the last one.'

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

/** @throws StopRun */
function stopAt({ status, attempt, message }: Sent, attempts: readonly CertificationAttempt[]): void {
  const said = message ?? ''
  if (status === 503) throw new StopRun('unavailable', said, attempts)
  if (status === 429) throw new StopRun('throttled', said, attempts)
  if (attempt.error_class === 'timeout') throw new StopRun('timed_out', said, attempts)
  if (attempt.error_class === 'blocked_address') throw new StopRun('address_changed', said, attempts)
}

/** The answer as the run's record keeps it, with the secrets of the request hidden as in the log. */
function describe(result: AuthorisedResult, { settings }: RunSettings): Sent {
  const { request, exchange, body, timing } = result
  const verdict = readAnswer(exchange, new Date(), {
    ...settings.answerRules,
    ...result,
    asked: request.url,
  })
  const isDelivered = verdict.state === 'delivered'
  const shown = redactExchange({
    url: request.url,
    requestHeaders: request.headers,
    requestBody: '',
    responseHeaders: null,
    responseBody: body,
    message: isDelivered ? null : verdict.message,
  })
  const answer = answerOf(exchange)
  const status = answer?.status ?? null
  return {
    status,
    isDelivered,
    message: shown.message,
    retryAfterSeconds:
      status === 429 ? readRetryAfter(answer?.headers['retry-after'], new Date()) : undefined,
    attempt: {
      status,
      ms: timing.total_ms,
      error_class: isDelivered ? null : verdict.errorClass,
      // PostgreSQL stores no NUL in JSON.
      answer: shown.responseBody?.slice(0, KEPT_ANSWER).replaceAll('\0', '').toWellFormed() ?? null,
    },
  }
}

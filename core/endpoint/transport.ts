import { createIsolatedExchange } from './isolated/isolated-exchange.ts'
import { createHostTrust } from './isolated/host-trust.ts'
import { OPEN_ACCESS, type EndpointAccess } from './endpoint-access.ts'
import type { SendResult } from './exchange-once.ts'
import { isMailUrl } from '../domain/webhooks/by-mail/mail-address.ts'
import { createExchangeMail, type MailCarrier } from './exchange-mail.ts'
import { createExchanger, type ExchangeJob, type ExchangerOptions } from './exchanger.ts'
import type { AddressGuard } from './guard-address.ts'
import { nameHost } from './tls/handshakes.ts'
import type { WebhookRequest } from './prepare-request.ts'
import { sendAuthorised, type AuthorisedResult } from './authorise/send-authorised.ts'
import { createTokenSource } from './authorise/token-source.ts'

/** A token request may take this part of the whole time; the rest must suffice for the endpoint. */
const TOKEN_SHARE = 1 / 3

/**
 * The one way to a client's endpoint, for the worker and for Test Endpoint; `mailto:` goes to the installation's mail
 * server. Never follows redirects. A request is sent
 * a second time in three cases only: the endpoint was just closing the kept connection, it refused the kept access
 * token, or the process ended.
 */
export interface Transport {
  /**
   * Sends one request; every failure is a result, never a rejection.
   * @param options.client the owner of the webhook; the load that it causes counts as this client's
   * @param options.access the credentials that the endpoint asks for; none unless given
   */
  send: (
    request: WebhookRequest,
    options: { client: string; access?: EndpointAccess; signal?: AbortSignal },
  ) => Promise<AuthorisedResult>
  close: () => Promise<void>
}

/**
 * @param options.timeoutMs the whole attempt: token, name, connect, TLS, headers, body
 * @param options.onProcessEnd told when a process for exchanges ended unexpectedly
 * @param options.now the clock for everything that is remembered, in milliseconds; never goes back
 */
export function createTransport(
  guard: AddressGuard,
  options: ExchangerOptions & {
    /** sends what goes by mail; undefined: no mail server */
    mail?: MailCarrier | undefined
    /** told, in codes, why the mail server took no mail */
    onMailTrouble?: (failure: string) => void
    onProcessEnd?: (reason: string) => void
    now?: () => number
  },
): Transport {
  const {
    timeoutMs,
    connectionsPerOrigin,
    bindAddress,
    mail,
    onMailTrouble = () => undefined,
    onProcessEnd = () => undefined,
    now = () => performance.now(),
  } = options
  const limits = { timeoutMs, connectionsPerOrigin, bindAddress }
  const trust = createHostTrust(now)
  const apart = createIsolatedExchange(guard, limits, trust, onProcessEnd)
  const here = createExchanger(guard, limits, {
    begin: (host) => (chain) => {
      trust.noteShared(host, chain)
    },
  })
  const exchangeMail = createExchangeMail(mail, timeoutMs, onMailTrouble)
  const closing = new AbortController()
  const tokens = createTokenSource({
    guard,
    timeoutMs: Math.round(timeoutMs * TOKEN_SHARE),
    exchange: (client, request, clock) =>
      exchange({ peer: 'token', request, access: OPEN_ACCESS, clock }, client, closing.signal),
  })

  async function exchange(
    job: ExchangeJob,
    client: string,
    signal: AbortSignal | undefined,
  ): Promise<SendResult> {
    const url = URL.parse(job.request.url)
    if (url?.protocol !== 'https:') return await here.exchange(job, signal)
    const { certificates, keptAs } = job.access
    const host = nameHost(url.hostname, url.port, certificates === null ? null : keptAs)
    // Certificates without a name to keep them under are used for this request only.
    const isKnown = certificates === null || keptAs !== null
    const isHere = isKnown && trust.isTrusted(client, host)
    const result = await (isHere ? here.exchange(job, signal) : apart.exchange(job, { host, client }, signal))
    if (result.wasEndless === true) trust.noteEndless(host, client)
    // The failed exchange may have occupied the shared thread.
    else if (isHere && result.exchange.kind === 'failure') trust.noteShared(host, undefined)
    return result
  }

  return {
    send: async (request, { client, access = OPEN_ACCESS, signal }) => {
      if (request.refusal !== undefined) return refuse(request, request.refusal)
      if (isMailUrl(request.url)) return { ...(await exchangeMail(client, request)), request }
      const clock = { startedAt: performance.now(), timeoutMs }
      return await sendAuthorised(request, { access, client }, clock, tokens, (sent) =>
        exchange({ peer: 'endpoint', request: sent, access, clock }, client, signal),
      )
    },
    close: async () => {
      closing.abort()
      mail?.close()
      await Promise.all([here.close(), apart.close()])
    },
  }
}

function refuse(request: WebhookRequest, detail: string): AuthorisedResult {
  return {
    exchange: {
      kind: 'failure',
      errorClass: request.refusedAs === 'gone' ? 'gone' : 'invalid_request',
      detail,
      ...(request.refusedAs === 'for_good' && { isFinal: true }),
    },
    body: null,
    bodyTruncated: false,
    timing: { connect_ms: null, headers_ms: null, total_ms: 0 },
    remoteAddress: null,
    request,
  }
}

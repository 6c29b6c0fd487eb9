import { createConnectionPools, type ConnectionPool } from './connection-pools.ts'
import { watchDialledAddresses } from './dial.ts'
import { OPEN_ACCESS, type EndpointAccess } from './endpoint-access.ts'
import { exchangeOnce, type ExchangeClock, type ExchangeOutcome, type SendResult } from './exchange-once.ts'
import { CertificateError, SLOW_CHAIN } from './certificate-error.ts'
import type { AddressGuard } from './guard-address.ts'
import { isOurs } from './own-shortage.ts'
import type { WebhookRequest } from './prepare-request.ts'
import { sendAuthorised, type AuthorisedResult } from './send-authorised.ts'
import { createTokenSource } from './token-source.ts'

/** A token request may take this part of the whole time: what is left must do for the endpoint. */
const TOKEN_SHARE = 1 / 3

/**
 * The one way to a client's endpoint, for the worker and for Test Endpoint. Never follows redirects. Never sends twice, but
 * for a request that met a kept connection which the endpoint was just closing, or whose kept access token was refused: that
 * goes out once more.
 */
export interface Transport {
  /**
   * Sends one request; every failure is a result, never a rejection.
   * @param options.access what the endpoint asks for; nothing unless given
   */
  send: (
    request: WebhookRequest,
    options?: { access?: EndpointAccess; signal?: AbortSignal },
  ) => Promise<AuthorisedResult>
  close: () => Promise<void>
}

/**
 * @param options.timeoutMs the whole attempt: token, name, connect, TLS, headers, body
 * @param options.connectionsPerOrigin sockets kept to one origin
 */
export function createTransport(
  guard: AddressGuard,
  options: { timeoutMs: number; connectionsPerOrigin: number },
): Transport {
  const pools = createConnectionPools(guard, options)
  const addresses = watchDialledAddresses()
  const closing = new AbortController()
  const tokens = createTokenSource({
    guard,
    timeoutMs: Math.round(options.timeoutMs * TOKEN_SHARE),
    // A connection for each: a token is asked for seldom, and a kept connection could be closing just then.
    exchange: (request, clock, limits) =>
      pools.use(OPEN_ACCESS, ({ fresh }) =>
        exchangeOnce(fresh, addresses, request, clock, closing.signal, limits),
      ),
  })

  async function exchange(
    { kept, fresh }: ConnectionPool,
    request: WebhookRequest,
    clock: ExchangeClock,
    signal: AbortSignal | undefined,
  ): Promise<SendResult> {
    const outcome = await exchangeOnce(kept, addresses, request, clock, signal)
    if (!outcome.metClosedConnection) return withoutError(outcome)
    const again = withoutError(await exchangeOnce(fresh, addresses, request, clock, signal))
    // Where the second got no connection, the first may have been read all the same.
    if (isOurs(again.exchange)) return withoutError(outcome)
    return { ...again, remoteAddress: again.remoteAddress ?? outcome.remoteAddress }
  }

  return {
    send: async (request, { access = OPEN_ACCESS, signal } = {}) => {
      if (request.refusal !== undefined) return refuse(request, request.refusal)
      const clock = { startedAt: performance.now(), timeoutMs: options.timeoutMs }
      return await pools.use(access, (pool) =>
        sendAuthorised(request, access, clock, tokens, (sent) => exchange(pool, sent, clock, signal)),
      )
    },
    close: async () => {
      addresses.stop()
      closing.abort()
      await pools.close()
    },
  }
}

function refuse(request: WebhookRequest, detail: string): AuthorisedResult {
  return {
    exchange: { kind: 'failure', errorClass: 'invalid_request', detail },
    body: null,
    bodyTruncated: false,
    timing: { connect_ms: null, headers_ms: null, total_ms: 0 },
    remoteAddress: null,
    request,
  }
}

/** What an exchange left behind, in words alone. */
function withoutError({ error, metClosedConnection: _met, ...result }: ExchangeOutcome): SendResult {
  const isSlow = error instanceof CertificateError && error.code === SLOW_CHAIN
  return isSlow ? { ...result, wasSlowHandshake: true } : result
}

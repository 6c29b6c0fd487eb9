import { createConnectionPools } from './connection-pools.ts'
import { watchDialledAddresses } from './dial.ts'
import type { EndpointAccess } from './endpoint-access.ts'
import { exchangeOnce, type ExchangeClock, type ExchangeOutcome, type SendResult } from './exchange-once.ts'
import { explainTokenFailure, TOKEN_ANSWER } from './authorise/explain-token-failure.ts'
import type { AddressGuard } from './guard-address.ts'
import type { HandshakeWatch } from './tls/handshakes.ts'
import { isOurs } from './own-shortage.ts'
import type { WebhookRequest } from './prepare-request.ts'

/** One request to a host that a client names. */
export interface ExchangeJob {
  /** A token address gets a connection of its own: it is asked seldom, and a kept connection could be closing just then. */
  peer: 'endpoint' | 'token'
  request: WebhookRequest
  access: Pick<EndpointAccess, 'certificates' | 'keptAs'>
  clock: ExchangeClock
}

/** Makes exchanges over connections of its own, in this process. */
export interface Exchanger {
  /** Every failure is a result, never a rejection. */
  exchange: (job: ExchangeJob, signal: AbortSignal | undefined) => Promise<SendResult>
  close: () => Promise<void>
}

export interface ExchangerOptions {
  timeoutMs: number
  /** sockets kept to one origin */
  connectionsPerOrigin: number
  /** the address of this machine from which connections are made; undefined: the system chooses */
  bindAddress?: string | undefined
}

/** @param handshakes is told of each secure connection */
export function createExchanger(
  guard: AddressGuard,
  options: ExchangerOptions,
  handshakes: HandshakeWatch,
): Exchanger {
  const pools = createConnectionPools(guard, { ...options, handshakes })
  const addresses = watchDialledAddresses()
  return {
    exchange: ({ peer, request, access, clock }, signal) =>
      pools.use(access, async ({ kept, fresh }) => {
        if (peer === 'token') {
          const outcome = await exchangeOnce(fresh, addresses, request, clock, signal, TOKEN_ANSWER)
          return withoutError(inTokenWords(outcome, clock))
        }
        const outcome = await exchangeOnce(kept, addresses, request, clock, signal)
        if (!outcome.metClosedConnection) return withoutError(outcome)
        const again = withoutError(await exchangeOnce(fresh, addresses, request, clock, signal))
        // The repeat got no connection: the endpoint may still have read the first request.
        if (isOurs(again.exchange)) return withoutError(outcome)
        return { ...again, remoteAddress: again.remoteAddress ?? outcome.remoteAddress }
      }),
    close: async () => {
      addresses.stop()
      await pools.close()
    },
  }
}

function inTokenWords(outcome: ExchangeOutcome, { timeoutMs }: ExchangeClock): ExchangeOutcome {
  const { exchange, error } = outcome
  if (exchange.kind === 'answer') return outcome
  return { ...outcome, exchange: { ...exchange, detail: explainTokenFailure(error, timeoutMs) } }
}

/** The outcome of an exchange as plain data. */
function withoutError({ error: _error, metClosedConnection: _met, ...result }: ExchangeOutcome): SendResult {
  return result
}

import { Agent } from 'undici'
import { guardedConnector, watchDialledAddresses } from './dial.ts'
import { exchangeOnce, type SendResult } from './exchange-once.ts'
import type { AddressGuard } from './guard-address.ts'
import type { WebhookRequest } from './prepare-request.ts'

const MAX_HEADER_BYTES = 16 * 1024

/**
 * The one way to a client's endpoint, for the worker and for Test Endpoint. Never follows redirects. Never sends twice, but
 * for a request that met a kept connection which the endpoint was just closing: that goes out once more, on a new one.
 */
export interface Transport {
  /** Sends one request; every failure is a result, never a rejection. */
  send: (request: WebhookRequest, signal?: AbortSignal) => Promise<SendResult>
  close: () => Promise<void>
}

/**
 * @param options.timeoutMs the whole exchange: name, connect, TLS, headers, body
 * @param options.connectionsPerOrigin sockets kept to one origin
 */
export function createTransport(
  guard: AddressGuard,
  options: { timeoutMs: number; connectionsPerOrigin: number },
): Transport {
  const agentOptions = {
    connect: guardedConnector(guard, options.timeoutMs),
    connections: options.connectionsPerOrigin,
    allowH2: false,
    // Below the 5 s after which common servers close an idle connection, so that few requests meet a closing socket.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 4000,
    maxHeaderSize: MAX_HEADER_BYTES,
    // One clock rules the whole exchange (exchange-once.ts); these two restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  const agent = new Agent({ ...agentOptions, pipelining: 1 })
  // undici keeps no connection alive at 0, so each of these is new.
  const freshAgent = new Agent({ ...agentOptions, pipelining: 0 })
  const addresses = watchDialledAddresses()
  return {
    send: async (request, signal) => {
      const clock = { startedAt: performance.now(), timeoutMs: options.timeoutMs }
      const { metClosedConnection, ...result } = await exchangeOnce(agent, addresses, request, clock, signal)
      if (!metClosedConnection) return result
      const { metClosedConnection: _again, ...fresh } = await exchangeOnce(
        freshAgent,
        addresses,
        request,
        clock,
        signal,
      )
      return fresh
    },
    close: async () => {
      addresses.stop()
      await Promise.all([agent.destroy(), freshAgent.destroy()])
    },
  }
}

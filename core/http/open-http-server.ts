import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expectAsking } from './ask-for-body.ts'
import { closeAfterEarlyAnswer } from './close-after-early-answer.ts'
import { createSocketLines } from './socket-lines.ts'

/** Time limits of a connection, in milliseconds. */
export interface HttpLimits {
  /** the first line and the headers of a request */
  headersMs: number
  /** a whole request, its body included */
  requestMs: number
  /** idle time between two requests */
  keepAliveMs: number
  /** silence in both directions during a request: an answer that the client does not read would stay in memory */
  stillMs: number
  /** the rest of a body that was answered before it had ended */
  restMs: number
}

export const HTTP_LIMITS: HttpLimits = {
  headersMs: 20_000,
  // The largest body, a batch of 5 MiB, takes 84 s at half a megabit a second.
  requestMs: 120_000,
  // Longer than common proxies keep theirs (60 s), so that no request meets a closing socket.
  keepAliveMs: 65_000,
  // Each stream has a sign of life sooner, and no answer takes so long to begin.
  stillMs: 120_000,
  // A sender in full flow has to notice the answer before its connection breaks.
  restMs: 2_000,
}

/** Requests that take over their connection (RFC 9110 §7.8). Others with `Upgrade` are answered like any request. */
export interface Upgrades {
  wants: (request: IncomingMessage) => boolean
  take: (request: IncomingMessage, connection: Socket, head: Buffer) => void
}

/**
 * THE way to open an HTTP server. Clients are strangers, so no connection outlives these limits or the answer that
 * ended it. Requests of one connection are answered one after the other, however many come together. A listener that
 * reads a body asks for it first (`askForBody`).
 * @param options.port 0 takes a free one
 */
export async function openHttpServer({
  listener,
  host,
  port,
  limits = HTTP_LIMITS,
  upgrades,
}: {
  listener: RequestListener
  host: string
  port: number
  limits?: HttpLimits
  upgrades?: Upgrades
}): Promise<{ server: Server; port: number }> {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    // A limit is noticed this much late at most.
    connectionsCheckingInterval: Math.ceil(limits.headersMs / 10),
    shouldUpgradeCallback: (request) => upgrades?.wants(request) === true,
  })
  const closing = new WeakSet<Socket>()
  const { inLine, isBusy } = createSocketLines()
  const answer: RequestListener = (request, response) => {
    inLine(request.socket, response, () => {
      // Requests that follow on a closing connection are never answered, so they must not be processed either (RFC 9112
      // §9.6).
      if (closing.has(request.socket)) return
      closeAfterEarlyAnswer(request, response, { restMs: limits.restMs, closing })
      listener(request, response)
    })
  }
  server.on('request', answer)
  server.on('checkContinue', (request, response) => {
    expectAsking(request)
    answer(request, response)
  })
  server.on('upgrade', (request, connection: Socket, head) => {
    // The answer to an earlier request would land in the middle of the new protocol.
    if (isBusy(connection) || closing.has(connection)) connection.destroy()
    else upgrades?.take(request, connection, head)
  })
  server.setTimeout(limits.stillMs)
  server.listen(port, host)
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

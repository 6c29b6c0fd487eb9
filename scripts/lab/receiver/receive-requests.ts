import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { giveAnswer, type Answer } from './give-answer.ts'

/** More than all headers of a configuration. */
const MOST_HEADER_BYTES = 256 * 1024

export interface ReceivedRequest {
  method: string
  /** Path and query as sent. */
  path: string
  headers: IncomingHttpHeaders
  rawBody: Buffer
  body: string
  /** Milliseconds since 1970, when the body was complete. */
  receivedAt: number
}

export interface Receiving {
  answer: (request: ReceivedRequest) => Answer
  port?: number
  /** Requests to this path are answered before their body is read, which then counts as empty. */
  isEarly?: (path: string) => boolean
  /** life of an idle connection */
  keepAliveMs?: number
}

/** A real HTTP server on the loopback that reports each complete request and answers as told. */
export async function receiveRequests({ answer, port = 0, isEarly, keepAliveMs }: Receiving): Promise<{
  port: number
  /** open connections */
  connections: () => number
  close: () => Promise<void>
}> {
  let connections = 0
  const server = createServer({ maxHeaderSize: MOST_HEADER_BYTES }, (request, response) => {
    const { method = '', url: path = '', headers } = request
    const chunks: Buffer[] = []
    const whole = (): void => {
      const rawBody = Buffer.concat(chunks)
      const body = rawBody.toString('utf8')
      const given = answer({ method, path, headers, rawBody, body, receivedAt: Date.now() })
      giveAnswer(given, attemptOf(headers), response)
    }
    // The sender broke off, so nobody waits for an answer.
    request.on('error', () => response.destroy())
    if (isEarly?.(path) === true) {
      whole()
      return
    }
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', whole)
  })
  server.on('connection', (socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.on('close', () => {
      connections -= 1
    })
  })
  if (keepAliveMs !== undefined) server.keepAliveTimeout = keepAliveMs
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The number of the delivery's attempt, as the sender counts; 0 if the request does not say. */
export function attemptOf(headers: IncomingHttpHeaders): number {
  return Number(headers['leadwire-attempt'] ?? '0')
}

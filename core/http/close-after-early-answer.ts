import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Handles answers that begin before their request has ended, because the body is too large or not needed. Such an
 * answer announces that the connection closes, and it closes when the body has ended, at the latest after `restMs`.
 * Node would read on for as long as a request may take. Closing at once would be no better, because a sender whose
 * bytes are not read loses the answer (RFC 9112 §9.6).
 * @param closing is told the sockets that get no further requests
 */
export function closeAfterEarlyAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { restMs, closing }: { restMs: number; closing: WeakSet<Socket> },
): void {
  if (!announcesBody(request)) return
  const { socket } = request
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse
  const writeHeadEarly = (...given: unknown[]): ServerResponse => {
    if (!request.complete) {
      closing.add(socket)
      response.shouldKeepAlive = false
      closeAfterRest(request, socket, restMs)
    }
    return writeHead(...given)
  }
  response.writeHead = writeHeadEarly
}

/** Without either header a request has no body (RFC 9112 §6.3). */
function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function closeAfterRest(request: IncomingMessage, socket: Socket, restMs: number): void {
  const close = socket.destroySoon.bind(socket)
  // Node calls it when the answer is written.
  socket.destroySoon = () => {
    if (request.complete) {
      close()
      return
    }
    const limit = setTimeout(() => socket.destroy(), restMs)
    socket.once('close', () => clearTimeout(limit))
    request.once('end', close)
    request.resume()
    socket.end()
  }
}

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Limit of requests that wait on a connection for the answer of the one before; no common client sends even one ahead.
 */
const MOST_WAITING = 16

/**
 * Answers the requests of a connection one after the other (RFC 9112 §9.3.2). Node would begin all requests of one
 * segment at once, a thousand in forty kilobytes. A connection with more waiting requests is closed.
 */
export function createSocketLines(): {
  /** Begins to answer a request when its turn has come; never, if the connection is gone by then. */
  inLine: (socket: Socket, response: ServerResponse, begin: () => void) => void
  /** Whether a request of this connection is still being answered. */
  isBusy: (socket: Socket) => boolean
} {
  const lines = new WeakMap<Socket, Array<() => void>>()

  const inLine = (socket: Socket, response: ServerResponse, begin: () => void): void => {
    const known = lines.get(socket)
    const line = known ?? []
    const turn = (): void => {
      response.once('close', () => {
        const next = line.shift()
        if (next === undefined) lines.delete(socket)
        // If the socket ends with the answer before, later requests are never answered, so they must not be processed.
        else if (!socket.destroyed && !socket.writableEnded) next()
      })
      begin()
    }
    if (known === undefined) {
      lines.set(socket, line)
      turn()
    } else if (line.length < MOST_WAITING) line.push(turn)
    else socket.destroy()
  }
  return { inLine, isBusy: (socket) => lines.has(socket) }
}

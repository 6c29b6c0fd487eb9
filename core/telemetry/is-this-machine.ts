import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Does the request come from the loopback itself? Behind a proxy every request does, so a forwarded one never counts. */
export function isThisMachine(request: IncomingMessage): boolean {
  const peer = request.socket.remoteAddress ?? ''
  const isLoopback = isIP(peer) !== 0 && /^(127\.|::1$|::ffff:127\.)/.test(peer)
  const isForwarded =
    request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
  return isLoopback && !isForwarded
}

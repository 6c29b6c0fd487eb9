import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLocalHost } from './is-local-host.ts'

/** Headers that only a proxy adds. */
const ADDED_ON_THE_WAY =
  /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

/**
 * Whether the request comes from this machine, by one of its own names. Behind a proxy every request comes from the
 * loopback, so a forwarded request never counts, nor does one for another host.
 */
export function isThisMachine(
  request: IncomingMessage,
  { publicUrl, apiUrl }: { publicUrl: string; apiUrl: string },
): boolean {
  const { headers, socket } = request
  const peer = socket.remoteAddress ?? ''
  const isLoopback = isIP(peer) !== 0 && /^(127\.|::1$|::ffff:127\.)/.test(peer)
  const isForwarded = Object.keys(headers).some((name) => ADDED_ON_THE_WAY.test(name))
  return isLoopback && !isForwarded && isLocalHost(headers.host, [publicUrl, apiUrl])
}

import { createHash } from 'node:crypto'
import type { TLSSocket } from 'node:tls'

/** Watches each handshake with a host that a client named, from the moment at which the TCP connection is established. */
export interface HandshakeWatch {
  /**
   * @param host the peer, as {@link nameHost} names it
   * @returns a function that is told the certificates at the end, or none. Up to TLS 1.2 a host may begin another
   * handshake on the same connection
   */
  begin: (host: string) => (chain: string | undefined) => void
}

/** A watch that ignores everything. */
export const UNWATCHED: HandshakeWatch = { begin: () => () => undefined }

/**
 * The name shared by all connections to a host and port with the same client certificate.
 * @param keptAs null without one
 */
export function nameHost(hostname: string, port: string, keptAs: string | null): string {
  return [hostname.replace(/^\[|\]$/g, ''), port === '' ? '443' : port, keptAs ?? ''].join(' ')
}

/**
 * A digest of the certificates that an endpoint has shown, as far as they were verified. Certificates that took long
 * take long again; other certificates may too.
 */
export function digestChain(socket: TLSSocket): string | undefined {
  const digest = createHash('sha256')
  const leaf = socket.getPeerX509Certificate()
  if (leaf === undefined) return undefined
  for (let one: typeof leaf | undefined = leaf; one !== undefined; one = one.issuerCertificate)
    digest.update(one.raw)
  return digest.digest('base64')
}

import type { TLSSocket } from 'node:tls'
import { readCertificate, type CertificateParts } from './read-certificate.ts'

/** A certificate that was not trusted. `code` is OpenSSL's or Node's; its holder can act on the other fields. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
  readonly code: string
  /** the validity of the certificate itself, not of its chain; undefined if it could not be read */
  readonly validFrom: Date | undefined
  readonly validUntil: Date | undefined
  /** the host names it is for, at most five */
  readonly hosts: readonly string[]

  constructor(code: string, certificate: CertificateParts | undefined) {
    super(`The certificate is not trusted (${code})`)
    this.code = code
    const { validFrom, validUntil, hosts } = readCertificate(certificate)
    this.validFrom = validFrom
    this.validUntil = validUntil
    this.hosts = hosts
  }
}

/** The code that node:tls gives a certificate for another host name. */
export const NAME_FAULT = 'ERR_TLS_CERT_ALTNAME_INVALID'

/**
 * The reason why this socket's other side is not trusted; undefined if it is trusted. For a socket whose handshake is
 * over.
 */
export function findCertificateFault(socket: TLSSocket): CertificateError | undefined {
  if (socket.authorized) return undefined
  // `authorizationError` is typed as Error, but holds a code.
  const reason: unknown = socket.authorizationError
  const code = typeof reason === 'string' && reason !== '' ? reason : 'ERR_TLS_CERT_UNTRUSTED'
  // The certificate is undefined once the socket has no handle any more, and if there was none.
  return new CertificateError(code, socket.getPeerX509Certificate())
}

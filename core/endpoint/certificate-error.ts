import type { TLSSocket } from 'node:tls'
import { isSlowChain } from './slow-certificates.ts'

/** A certificate that was not trusted. `code` is OpenSSL's or Node's; the rest is what its holder can act on. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
  readonly code: string
  /** of the certificate itself, not of its chain; undefined where it could not be read */
  readonly validFrom: Date | undefined
  readonly validUntil: Date | undefined
  /** the host names it is for, at most five */
  readonly hosts: readonly string[]

  constructor(
    code: string,
    certificate: { valid_from?: string; valid_to?: string; subjectaltname?: string },
  ) {
    super(`The certificate is not trusted (${code})`)
    this.code = code
    this.validFrom = readDate(certificate.valid_from)
    this.validUntil = readDate(certificate.valid_to)
    this.hosts = readHosts(certificate.subjectaltname)
  }
}

/** Of a chain that took so long to verify that it is not used. */
export const SLOW_CHAIN = 'ERR_TLS_CHAIN_SLOW'

/** Why this socket's other side is not trusted; undefined where it is. For a socket whose handshake is over. */
export function findCertificateFault(socket: TLSSocket): CertificateError | undefined {
  if (isSlowChain(socket.getPeerX509Certificate())) return new CertificateError(SLOW_CHAIN, {})
  if (socket.authorized) return undefined
  // Typed as Error, and a code in truth.
  const reason: unknown = socket.authorizationError
  const code = typeof reason === 'string' && reason !== '' ? reason : 'ERR_TLS_CERT_UNTRUSTED'
  // Null once the socket has no handle any more, and empty where there was no certificate.
  const certificate: Partial<ReturnType<TLSSocket['getPeerCertificate']>> | null = socket.getPeerCertificate()
  return new CertificateError(code, certificate ?? {})
}

function readDate(text: string | undefined): Date | undefined {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** What somebody else wrote into a certificate: only what looks like a host name is repeated. */
function readHosts(subjectAltName = ''): string[] {
  return subjectAltName
    .split(', ')
    .flatMap((entry) => /^(?:DNS|IP Address):([\w.*:-]{1,100})$/.exec(entry)?.[1] ?? [])
    .slice(0, 5)
}

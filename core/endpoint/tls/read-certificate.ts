import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

/** The parts of a certificate that its holder can act on; an unreadable part is undefined. */
export interface CertificateFacts {
  validFrom: Date | undefined
  validUntil: Date | undefined
  /** the host names it is for, at most five */
  hosts: readonly string[]
}

/** Node's certificate, reduced to the parts that are read here. */
export type CertificateParts = Partial<
  Pick<X509Certificate, 'validFromDate' | 'validToDate' | 'subjectAltName'>
>

/** Reads a certificate that a stranger made: unreadable parts are left out. */
export function readCertificate(certificate: CertificateParts | undefined): CertificateFacts {
  return {
    validFrom: readDate(() => certificate?.validFromDate),
    validUntil: readDate(() => certificate?.validToDate),
    hosts: readHosts(attempt(() => certificate?.subjectAltName)),
  }
}

/**
 * Whether a certificate is for this host name or address (RFC 9525).
 * @param host without brackets
 */
export function matchesName(certificate: X509Certificate | undefined, host: string): boolean {
  const name = host.replace(/\.$/, '')
  return (
    attempt(() => (isIP(name) === 0 ? certificate?.checkHost(name) : certificate?.checkIP(name))) !==
    undefined
  )
}

/** undefined for a part that OpenSSL cannot read; Node throws then. */
function attempt<Value>(read: () => Value | undefined): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function readDate(read: () => Date | undefined): Date | undefined {
  const at = attempt(read)
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at
}

/** Only text that looks like a host name is repeated. */
function readHosts(subjectAltName = ''): string[] {
  return subjectAltName
    .split(', ')
    .flatMap((entry) => /^(?:DNS|IP Address):([\w.*:-]{1,100})$/.exec(entry)?.[1] ?? [])
    .slice(0, 5)
}

import { isIP } from 'node:net'
import { CertificateError } from './certificate-error.ts'

/** The codes do not tell whether a link of the chain is missing, or its end is unknown. */
const BROKEN_CHAIN =
  'comes without all of its intermediate certificates, or from an authority that is not public. Send the whole chain, or use one from a public authority.'

/** A sentence's end by the code of the certificate's fault; `field` is the form's field with the address. */
const REASONS: Readonly<Record<string, string | ((field: string) => string)>> = {
  CERT_HAS_EXPIRED: 'has expired, or one in its chain has. Renew it.',
  CERT_NOT_YET_VALID: "is not valid yet. Check its dates and your server's clock.",
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed. Use one from a public authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a chain that ends in a self-signed one. Use one from a public authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: BROKEN_CHAIN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: BROKEN_CHAIN,
  UNABLE_TO_GET_ISSUER_CERT: BROKEN_CHAIN,
  // Node's code for faults without a code of their own: OpenSSL's findings on key lengths and old digests.
  UNSPECIFIED:
    'has a key that is too short (RSA needs 2,048 bits) or a signature of an old kind (SHA-1), or one in its chain has. Use one from a public authority.',
  ERR_TLS_CERT_ALTNAME_INVALID: (field) =>
    `is for another host name. Put that name in ${field}, or get a certificate for this one.`,
}

/**
 * Explains what is wrong with a peer's certificate, as the end of a sentence that begins with it; undefined if the
 * failure has another cause.
 * @param field the form's field with the peer's address
 * @param now the time against which the certificate's dates are compared
 */
export function explainCertificate(
  failure: unknown,
  code: string,
  field: string,
  now: Date,
): string | undefined {
  if (failure instanceof CertificateError) {
    const { validFrom, validUntil, hosts } = failure
    if (code === 'CERT_HAS_EXPIRED' && validUntil !== undefined) {
      // Another certificate of the chain may have expired instead.
      if (validUntil > now) return 'is valid, but one in its chain has expired. Renew the chain.'
      return `expired ${describeSpan(now.getTime() - validUntil.getTime())} ago. Renew it.`
    }
    if (code === 'CERT_NOT_YET_VALID' && validFrom !== undefined && validFrom > now) {
      const span = describeSpan(validFrom.getTime() - now.getTime())
      return `is not valid yet: it will be in ${span}. Check its dates and your server's clock.`
    }
    if (
      code === 'ERR_TLS_CERT_ALTNAME_INVALID' &&
      hosts.length > 0 &&
      hosts.every((host) => isIP(host) !== 0)
    ) {
      return `has no host name, only ${hosts.join(', ')}; an address counts only where it stands as one. Get a certificate for this name or address.`
    }
    if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' && hosts.length > 0) {
      return `is for another name (it names ${hosts.join(', ')}). Put that name in ${field}, or get a certificate for this one.`
    }
  }
  const reason = REASONS[code]
  if (reason === undefined && failure instanceof CertificateError)
    return `is not trusted (${code}). Use one from a public authority.`
  return typeof reason === 'function' ? reason(field) : reason
}

/** "3 days", "1 hour", "20 minutes"; whole units, rounded down. */
function describeSpan(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  const [count, unit] =
    minutes >= 2880
      ? [Math.floor(minutes / 1440), 'day']
      : minutes >= 60
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.max(1, minutes), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

import { errors } from 'undici'
import type { ErrorClass } from '../contract/webhooks/delivery.ts'
import { CertificateError } from './certificate-error.ts'
import { BlockedAddressError, describeAddress } from './guard-address.ts'

/** A failed exchange in words for the client. Never quotes the URL's path or query: they can hold credentials. */
export interface FailureExplanation {
  errorClass: ErrorClass
  detail: string
}

const TLS_REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired, or one in its chain has. Renew it.',
  CERT_NOT_YET_VALID: "is not valid yet. Check its dates and your server's clock.",
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed. Use one from a public authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a chain that ends in a self-signed one. Use one from a public authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'comes without its intermediate certificates, or from an authority that is not public. Send the whole chain.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an unknown authority. Use one from a public authority.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'is for another host name. Put that name in Endpoint URL, or get a certificate for this one.',
}

const NO_WAY = 'Check Endpoint URL, and that your firewall lets us in.'
const CONNECT_TIMEOUT = {
  errorClass: 'timeout',
  detail: `Your endpoint did not accept the connection in time. ${NO_WAY}`,
} as const
const HEADERS_TOO_LARGE = {
  errorClass: 'too_large',
  detail: "Your endpoint's answer has headers larger than 16 KiB. Send fewer or shorter ones.",
} as const
const NOT_BUILT = {
  errorClass: 'invalid_request',
  detail: 'The request could not be built. Check Custom Headers.',
} as const
const unreachable = (why: string): FailureExplanation => ({
  errorClass: 'connect',
  detail: `Your endpoint cannot be reached from here (${why}). ${NO_WAY}`,
})

// The endpoint's alerts (RFC 8446 §6.2), as OpenSSL names them with varying beginnings.
const TLS_ALERTS: readonly (readonly [RegExp, string])[] = [
  [/CERTIFICATE_REQUIRED/, 'your endpoint asks for a client certificate. Add one under Certificates.'],
  [
    /ALERT_(UNKNOWN_CA|(BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_\w+|ACCESS_DENIED)/,
    'your endpoint did not accept the client certificate. Check Certificates.',
  ],
  [
    /ALERT_HANDSHAKE_FAILURE/,
    'your endpoint refused the handshake. It may ask for a client certificate: add one under Certificates.',
  ],
]

const NETWORK: Readonly<Record<string, FailureExplanation>> = {
  ERR_BLOCKED_ADDRESS: {
    errorClass: 'blocked_address',
    detail: 'The host name leads to an address that is not on the public internet. Nothing was sent.',
  },
  ENOTFOUND: { errorClass: 'dns', detail: 'The host name does not exist. Check Endpoint URL.' },
  EAI_AGAIN: {
    errorClass: 'dns',
    detail:
      "The host name could not be resolved right now. If this goes on, check your domain's name servers.",
  },
  ENODATA: { errorClass: 'dns', detail: 'The host name has no address. Check Endpoint URL.' },
  ECONNREFUSED: {
    errorClass: 'connect',
    detail:
      'Your endpoint refused the connection. Nothing listens on that port: start it, or check the port in Endpoint URL.',
  },
  EHOSTUNREACH: unreachable('no route'),
  ENETUNREACH: unreachable('no network'),
  EADDRNOTAVAIL: unreachable('bad address'),
  EHOSTDOWN: unreachable('host down'),
  EACCES: unreachable('not permitted'),
  EPERM: unreachable('not permitted'),
  UND_ERR_CONNECT_TIMEOUT: CONNECT_TIMEOUT,
  ETIMEDOUT: CONNECT_TIMEOUT,
  UND_ERR_HEADERS_OVERFLOW: HEADERS_TOO_LARGE,
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LARGE,
  ERR_INTERRUPTED: {
    errorClass: 'reset',
    detail: 'Leadwire stopped this request before the answer was complete.',
  },
  UND_ERR_INVALID_ARG: NOT_BUILT,
  ERR_INVALID_CHAR: NOT_BUILT,
}

const CUT_SHORT = 'Your endpoint closed the connection before the end of its answer. Look into its log.'

/**
 * Names the class of a failure from the error codes of Node, OpenSSL and undici.
 * @param answered the status line had arrived before the failure
 * @param now against which a certificate's dates are counted
 */
export function explainFailure(
  error: unknown,
  timeoutMs: number,
  answered: boolean,
  now = new Date(),
): FailureExplanation {
  const failure = innermost(error)
  if (failure instanceof BlockedAddressError) return explainBlocked(failure)
  const code = errorCode(failure)
  if (code === 'ERR_DEADLINE') {
    const phase = answered ? 'did not finish its answer' : 'did not answer'
    return {
      errorClass: 'timeout',
      detail: `Your endpoint ${phase} within ${timeoutMs / 1000} s. Let it answer first and do its work afterwards.`,
    }
  }
  const known = NETWORK[code]
  if (known !== undefined) return known
  const tls = explainCertificate(failure, code, now)
  if (tls !== undefined) return { errorClass: 'tls', detail: `TLS: your endpoint's certificate ${tls}` }
  const alert = code.startsWith('ERR_SSL') && TLS_ALERTS.find(([form]) => form.test(code))
  if (alert !== undefined && alert !== false) return { errorClass: 'tls', detail: `TLS: ${alert[1]}` }
  if (/^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO|EPROTO|CRL_|HOSTNAME_MISMATCH|INVALID_CA)/.test(code)) {
    return {
      errorClass: 'tls',
      detail: `TLS: the secure connection could not be made (${code}). Check that your endpoint speaks TLS 1.2 or newer on this port.`,
    }
  }
  if (code.startsWith('EAI_')) {
    return { errorClass: 'dns', detail: 'The host name could not be resolved right now.' }
  }
  // node:tls has no code of its own for this.
  if (
    code === 'ECONNRESET' &&
    failure instanceof Error &&
    /before secure TLS connection/.test(failure.message)
  ) {
    return {
      errorClass: 'tls',
      detail: 'TLS: your endpoint broke off while the connection was being secured. Check Certificates.',
    }
  }
  if (code.startsWith('HPE_')) {
    return {
      errorClass: 'reset',
      detail: 'Your endpoint sent something that is not HTTP. Check the port in Endpoint URL.',
    }
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return { errorClass: 'reset', detail: CUT_SHORT }
  return {
    errorClass: 'reset',
    detail: answered
      ? CUT_SHORT
      : 'Your endpoint closed the connection without an answer. Look into its log, and that of any proxy before it.',
  }
}

/** The address is its finding; the URL is not repeated. */
function explainBlocked({ address }: BlockedAddressError): FailureExplanation {
  return {
    errorClass: 'blocked_address',
    detail: `${address} is ${describeAddress(address)}, and endpoints must be on the public internet. Nothing was sent. Check where the host name in Endpoint URL leads.`,
  }
}

function explainCertificate(failure: unknown, code: string, now: Date): string | undefined {
  if (failure instanceof CertificateError) {
    const { validFrom, validUntil, hosts } = failure
    if (code === 'CERT_HAS_EXPIRED' && validUntil !== undefined) {
      // The one that has expired may be another of the chain.
      if (validUntil > now) return 'is valid, but one in its chain has expired. Renew the chain.'
      return `expired ${describeSpan(now.getTime() - validUntil.getTime())} ago. Renew it.`
    }
    if (code === 'CERT_NOT_YET_VALID' && validFrom !== undefined && validFrom > now) {
      const span = describeSpan(validFrom.getTime() - now.getTime())
      return `is not valid yet: it will be in ${span}. Check its dates and your server's clock.`
    }
    if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' && hosts.length > 0) {
      return `is for another name (it names ${hosts.join(', ')}). Put that name in Endpoint URL, or get a certificate for this one.`
    }
  }
  return TLS_REASONS[code]
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

/** The error that tells: undici and the family race of node:net wrap it. */
function innermost(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : error.cause
  if (inner === undefined) return error
  const found = innermost(inner)
  return errorCode(found) === '' ? error : found
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  // undici 8.12 leaves this one's code undefined.
  return error instanceof errors.HTTPParserError ? 'HPE_INVALID' : ''
}

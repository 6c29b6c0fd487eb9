import { errors } from 'undici'
import type { ErrorClass } from '../contract/webhooks/delivery.ts'
import { AnswerFaultError, isEndOfConnection, ONLY_HTTP2 } from './answer-fault.ts'
import { MOST_INTERIM_ANSWERS } from './answer-head.ts'
import { explainCertificate } from './tls/explain-certificate.ts'
import { BlockedAddressError, BlockedPortError, describeAddress } from './guard-address.ts'

/**
 * Puts a failed exchange into words for the client. Never quotes the URL's path or query: they can hold credentials.
 */
export interface FailureExplanation {
  errorClass: ErrorClass
  detail: string
}

/** The party that failed, in words that the client knows. */
export interface Peer {
  name: 'your endpoint' | 'the token address'
  many: 'endpoints' | 'token addresses'
  host: 'The host name' | 'The host name of the token address'
  /** the form's field with its address */
  field: 'Endpoint URL' | 'Token URL'
}

const YOUR_ENDPOINT: Peer = {
  name: 'your endpoint',
  many: 'endpoints',
  host: 'The host name',
  field: 'Endpoint URL',
}

const noWay = ({ field }: Peer) => `Check ${field}, and that your firewall lets us in.`
const capital = ({ name }: Peer) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`
const connectTimeout = (peer: Peer): FailureExplanation => ({
  errorClass: 'timeout',
  detail: `${capital(peer)} did not accept the connection in time. ${noWay(peer)}`,
})
const headersTooLarge = (peer: Peer): FailureExplanation => ({
  errorClass: 'too_large',
  detail: `${capital(peer)}'s answer has headers larger than 16 KiB. Send fewer or shorter ones.`,
})
const notBuilt = (): FailureExplanation => ({
  errorClass: 'invalid_request',
  detail: 'The request could not be built. Check Custom Headers.',
})
const noneLeft = (): FailureExplanation => ({
  errorClass: 'internal_error',
  detail:
    'Nothing was sent: we could open no connection just then. This is our failure, not your endpoint’s. Try again in a moment.',
})
const unreachable =
  (why: string) =>
  (peer: Peer): FailureExplanation => ({
    errorClass: 'connect',
    detail: `${capital(peer)} cannot be reached from here (${why}). ${noWay(peer)}`,
  })

const asksForCertificate = ({ name }: Peer): string =>
  `${name} asks for a client certificate. Add one under Certificates.`

// OpenSSL reports its own findings and the peer's alerts (RFC 8446 §6.2) with varying beginnings.
const TLS_FAULTS: readonly (readonly [RegExp, (peer: Peer) => string])[] = [
  [/CERTIFICATE_REQUIRED/, asksForCertificate],
  [/NO_APPLICATION_PROTOCOL/, ({ name }) => `${name} ${ONLY_HTTP2}`],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/,
    ({ name, field }) =>
      `${name} does not speak TLS on this port. Check the port in ${field}, or let it begin with http://.`,
  ],
  [
    /ALERT_(UNKNOWN_CA|(BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_\w+|ACCESS_DENIED)/,
    ({ name }) => `${name} did not accept the client certificate, or asks for one. Check Certificates.`,
  ],
  [
    /WRONG_(CURVE|SIGNATURE_TYPE)/,
    ({ name }) =>
      `${name}'s certificate has a key of a kind that is not used here. Use RSA, or one of the curves P-256, P-384 and P-521.`,
  ],
  // HAProxy, Traefik and Go report it like this, Caddy by an error of its own, Cloudflare by a failed handshake.
  [
    /UNRECOGNIZED_NAME/,
    ({ name, field }) => `${name} has no certificate for this host name. Check ${field}, or get one for it.`,
  ],
  [
    /ALERT_INTERNAL_ERROR/,
    ({ name, field }) =>
      `${name} reported an error of its own. It may have no certificate for this host name: check ${field}, and look into its log.`,
  ],
  [
    /ALERT_(HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY)/,
    ({ name }) =>
      `${name} refused the handshake. It may ask for a client certificate: add one under Certificates. Or it has no certificate for this host name. Or it has no cipher with ECDHE or RSA, of which one is needed.`,
  ],
]

const NETWORK: Readonly<Record<string, (peer: Peer) => FailureExplanation>> = {
  // This process, or its machine, has reached its limit of sockets, or has no memory for another.
  EMFILE: noneLeft,
  ENFILE: noneLeft,
  ENOBUFS: noneLeft,
  ENOMEM: noneLeft,
  ERR_BLOCKED_ADDRESS: ({ host }) => ({
    errorClass: 'blocked_address',
    detail: `${host} leads to an address that is not on the public internet. Nothing was sent.`,
  }),
  ENOTFOUND: ({ host, field }) => ({ errorClass: 'dns', detail: `${host} does not exist. Check ${field}.` }),
  EAI_AGAIN: ({ host }) => ({
    errorClass: 'dns',
    detail: `${host} could not be resolved right now. If this goes on, check your domain's name servers.`,
  }),
  ENODATA: ({ host, field }) => ({ errorClass: 'dns', detail: `${host} has no address. Check ${field}.` }),
  ECONNREFUSED: (peer) => ({
    errorClass: 'connect',
    detail: `${capital(peer)} refused the connection. Check that it runs, the port in ${peer.field}, and that your firewall lets us in.`,
  }),
  EHOSTUNREACH: unreachable('no route'),
  ENETUNREACH: unreachable('no network'),
  EADDRNOTAVAIL: unreachable('bad address'),
  EHOSTDOWN: unreachable('host down'),
  EACCES: unreachable('not permitted'),
  EPERM: unreachable('not permitted'),
  UND_ERR_CONNECT_TIMEOUT: connectTimeout,
  ETIMEDOUT: connectTimeout,
  UND_ERR_HEADERS_OVERFLOW: headersTooLarge,
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_ENDLESS_ANSWER: (peer) => ({
    errorClass: 'too_large',
    detail: `${capital(peer)} sent more than 512 KiB before its answer began. Look into its log, and that of any proxy before it.`,
  }),
  ERR_INTERIM_ANSWERS: (peer) => ({
    errorClass: 'too_large',
    detail: `${capital(peer)} sent more than ${MOST_INTERIM_ANSWERS} interim answers (1xx) before its answer. Look into its log, and that of any proxy before it.`,
  }),
  ERR_CERTIFICATE_DEMANDED: (peer) => ({ errorClass: 'tls', detail: `TLS: ${asksForCertificate(peer)}` }),
  ERR_TLS_HANDSHAKES: ({ name }) => ({
    errorClass: 'tls',
    detail: `TLS: ${name} asked for one handshake after the other. Ask for a client certificate at once, or use TLS 1.3.`,
  }),
  ERR_INTERRUPTED: () => ({
    errorClass: 'reset',
    detail: 'Leadwire stopped this request before the answer was complete.',
  }),
  UND_ERR_INVALID_ARG: notBuilt,
  ERR_INVALID_CHAR: notBuilt,
}

const cutShort = (peer: Peer): FailureExplanation => ({
  errorClass: 'reset',
  detail: `${capital(peer)} closed the connection before the end of its answer. Look into its log.`,
})

/**
 * Names the class of a failure from the error codes of Node, OpenSSL and undici.
 * @param answered the status line had arrived before the failure
 * @param now the time against which a certificate's dates are compared
 * @param peer the party that failed
 */
export function explainFailure(
  error: unknown,
  timeoutMs: number,
  answered: boolean,
  now = new Date(),
  peer = YOUR_ENDPOINT,
): FailureExplanation {
  const failure = innermost(error)
  if (failure instanceof BlockedAddressError) return explainBlocked(failure, peer)
  if (error instanceof AnswerFaultError)
    return { errorClass: 'reset', detail: `${capital(peer)} ${error.explain(peer)}` }
  if (failure instanceof BlockedPortError) {
    return {
      errorClass: 'blocked_address',
      detail: `${failure.message} Nothing was sent. Check the port in ${peer.field}.`,
    }
  }
  const code = errorCode(failure)
  if (code === 'ERR_DEADLINE') {
    const [phase, advice] = answered
      ? ['did not finish its answer', 'Let it say where that ends (Content-Length), or close the connection']
      : ['did not answer', 'Let it answer first and do its work afterwards']
    return {
      errorClass: 'timeout',
      detail: `${capital(peer)} ${phase} within ${timeoutMs / 1000} s. ${advice}, and look into its log.`,
    }
  }
  if (code === 'ERR_UNCONNECTED') {
    const detail = `No connection to ${peer.name} was made within ${timeoutMs / 1000} s. ${noWay(peer)}`
    return { errorClass: 'timeout', detail }
  }
  const known = NETWORK[code]
  // On an open connection the request may have been read.
  if (known !== undefined && !(known === noneLeft && wasUnderWay(failure))) return known(peer)
  const tls = explainCertificate(failure, code, peer.field, now)
  if (tls !== undefined) return { errorClass: 'tls', detail: `TLS: ${peer.name}'s certificate ${tls}` }
  const alert = code.startsWith('ERR_SSL') && TLS_FAULTS.find(([form]) => form.test(code))
  if (alert !== undefined && alert !== false) return { errorClass: 'tls', detail: `TLS: ${alert[1](peer)}` }
  if (/^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO|EPROTO|CRL_|HOSTNAME_MISMATCH|INVALID_CA)/.test(code)) {
    return {
      errorClass: 'tls',
      detail: `TLS: the secure connection could not be made (${code}). ${capital(peer)} may not speak TLS 1.2 or newer on this port, or be too old. Look into its log.`,
    }
  }
  if (code.startsWith('EAI_')) {
    return { errorClass: 'dns', detail: `${peer.host} could not be resolved right now.` }
  }
  // node:tls has no code of its own for this.
  if (
    code === 'ECONNRESET' &&
    failure instanceof Error &&
    /before secure TLS connection/.test(failure.message)
  ) {
    return {
      errorClass: 'tls',
      detail: `TLS: ${peer.name} broke off while the connection was being secured. Check the port in ${peer.field}, Certificates, and any firewall before it.`,
    }
  }
  if (code.startsWith('HPE_') && !isEndOfConnection(failure)) {
    return {
      errorClass: 'reset',
      detail: `${capital(peer)} sent something that is not HTTP. Check the port in ${peer.field}, and look into its log.`,
    }
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return cutShort(peer)
  if (answered) return cutShort(peer)
  return {
    errorClass: 'reset',
    detail: `${capital(peer)} closed the connection without an answer. Look into its log, and that of any proxy before it.`,
  }
}

function wasUnderWay(failure: unknown): boolean {
  return failure instanceof Error && 'syscall' in failure && /^(read|write)/.test(String(failure.syscall))
}

/** The address is the finding; the URL is not repeated. */
function explainBlocked({ address }: BlockedAddressError, { many, field }: Peer): FailureExplanation {
  return {
    errorClass: 'blocked_address',
    detail: `${address} is ${describeAddress(address)}, and ${many} must be on the public internet. Nothing was sent. Check where the host name in ${field} leads.`,
  }
}

/** The error that explains: undici and node:net's address selection wrap it. */
function innermost(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : error.cause
  if (inner === undefined) return error
  const found = innermost(inner)
  return errorCode(found) === '' ? error : found
}

/**
 * libuv's UV_EAI_NODATA: Node uses one code for a name that exists without an address and for one that does not exist.
 */
const NO_ADDRESS = -3007

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('errno' in error && error.errno === NO_ADDRESS) return 'ENODATA'
  if ('code' in error && typeof error.code === 'string') return error.code
  // undici 8.12 sets no code on this error.
  return error instanceof errors.HTTPParserError ? 'HPE_INVALID' : ''
}

import { errors } from 'undici'
import type { ErrorClass } from '../contract/delivery.ts'

/** A failed exchange in words for the client. Never quotes the URL's path or query: they can hold credentials. */
export interface FailureExplanation {
  errorClass: ErrorClass
  detail: string
}

const TLS_REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "your endpoint's certificate has expired. Renew it.",
  CERT_NOT_YET_VALID: "your endpoint's certificate is not valid yet.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "your endpoint's certificate is self-signed. Use one from a public authority.",
  SELF_SIGNED_CERT_IN_CHAIN: "your endpoint's certificate chain ends in a self-signed certificate.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'your endpoint does not send its intermediate certificates.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "your endpoint's certificate comes from an unknown authority.",
  ERR_TLS_CERT_ALTNAME_INVALID: "your endpoint's certificate is for another host name.",
}

const NETWORK: Readonly<Record<string, FailureExplanation>> = {
  ERR_BLOCKED_ADDRESS: {
    errorClass: 'blocked_address',
    detail: 'The host name leads to an address that is not on the public internet. Nothing was sent.',
  },
  ENOTFOUND: { errorClass: 'dns', detail: 'The host name does not exist. Check Endpoint URL.' },
  EAI_AGAIN: { errorClass: 'dns', detail: 'The host name could not be resolved right now.' },
  ENODATA: { errorClass: 'dns', detail: 'The host name has no address. Check Endpoint URL.' },
  ECONNREFUSED: {
    errorClass: 'connect',
    detail: 'Your endpoint refused the connection. Nothing listens on that port.',
  },
  EHOSTUNREACH: { errorClass: 'connect', detail: 'Your endpoint cannot be reached from here (no route).' },
  ENETUNREACH: { errorClass: 'connect', detail: 'Your endpoint cannot be reached from here (no network).' },
  EADDRNOTAVAIL: {
    errorClass: 'connect',
    detail: 'Your endpoint cannot be reached from here (bad address).',
  },
  EHOSTDOWN: { errorClass: 'connect', detail: 'Your endpoint cannot be reached from here (host down).' },
  EACCES: { errorClass: 'connect', detail: 'Your endpoint cannot be reached from here (not permitted).' },
  EPERM: { errorClass: 'connect', detail: 'Your endpoint cannot be reached from here (not permitted).' },
  UND_ERR_CONNECT_TIMEOUT: {
    errorClass: 'timeout',
    detail: 'Your endpoint did not accept the connection in time.',
  },
  ETIMEDOUT: { errorClass: 'timeout', detail: 'Your endpoint did not accept the connection in time.' },
  UND_ERR_HEADERS_OVERFLOW: {
    errorClass: 'too_large',
    detail: "Your endpoint's answer has headers larger than 16 KiB.",
  },
  HPE_HEADER_OVERFLOW: {
    errorClass: 'too_large',
    detail: "Your endpoint's answer has headers larger than 16 KiB.",
  },
  ERR_INTERRUPTED: {
    errorClass: 'reset',
    detail: 'Leadwire stopped this request before the answer was complete.',
  },
  UND_ERR_INVALID_ARG: {
    errorClass: 'invalid_request',
    detail: 'The request could not be built. Check Custom Headers.',
  },
  ERR_INVALID_CHAR: {
    errorClass: 'invalid_request',
    detail: 'The request could not be built. Check Custom Headers.',
  },
}

/**
 * Names the class of a failure from the error codes of Node, OpenSSL and undici.
 * @param answered the status line had arrived before the failure
 */
export function explainFailure(error: unknown, timeoutMs: number, answered: boolean): FailureExplanation {
  const code = errorCode(error)
  if (code === 'ERR_DEADLINE') {
    const phase = answered ? 'did not finish its answer' : 'did not answer'
    return { errorClass: 'timeout', detail: `Your endpoint ${phase} within ${timeoutMs / 1000} s.` }
  }
  const known = NETWORK[code]
  if (known !== undefined) return known
  const tls = TLS_REASONS[code]
  if (tls !== undefined) return { errorClass: 'tls', detail: `TLS: ${tls}` }
  if (/^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO|EPROTO|CRL_|HOSTNAME_MISMATCH|INVALID_CA)/.test(code)) {
    return { errorClass: 'tls', detail: `TLS: the secure connection could not be made (${code}).` }
  }
  if (code.startsWith('EAI_')) {
    return { errorClass: 'dns', detail: 'The host name could not be resolved right now.' }
  }
  if (code.startsWith('HPE_'))
    return { errorClass: 'reset', detail: 'Your endpoint sent something that is not HTTP.' }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return {
      errorClass: 'reset',
      detail: 'Your endpoint closed the connection before the end of its answer.',
    }
  }
  return {
    errorClass: 'reset',
    detail: answered
      ? 'Your endpoint closed the connection before the end of its answer.'
      : 'Your endpoint closed the connection without an answer.',
  }
}

/** The innermost code: undici and the family race of node:net wrap the one that tells. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : error.cause
  const innerCode = inner === undefined ? '' : errorCode(inner)
  if (innerCode !== '') return innerCode
  if ('code' in error && typeof error.code === 'string') return error.code
  // undici 8.12 leaves this one's code undefined.
  return error instanceof errors.HTTPParserError ? 'HPE_INVALID' : ''
}

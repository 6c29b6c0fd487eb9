import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { DEFAULT_CIPHERS, TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'
import { refusePort } from '../domain/webhooks/refuse-port.ts'
import { findCertificateFault } from './certificate-error.ts'
import type { EndpointCertificates } from './endpoint-access.ts'
import { BlockedAddressError, BlockedPortError, type AddressGuard } from './guard-address.ts'

/** Of a connection that stands: one for a certificate, and one more. */
const MOST_REPEATED_HANDSHAKES = 2

/**
 * Checks the port and a literal before they are dialled, every name as it resolves, and the socket with its certificate once
 * it stands.
 * @param certificates an authority to trust instead of the public ones, and what to show to an endpoint that asks
 */
export function guardedConnector(
  guard: AddressGuard,
  timeoutMs: number,
  certificates: EndpointCertificates | null,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: guard.lookup,
    timeout: timeoutMs,
    allowH2: false,
    minVersion: 'TLSv1.2',
    // With DHE it is the other side who says how large the numbers are (RFC 5246 §7.4.3): 8,192 bits took our one thread 190 ms.
    ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
    // Checked all the same: the handshake ends, and nothing is written before findCertificateFault has looked. Node's own refusal
    // would close the socket first, and with it goes the certificate that tells the client what to mend. A resumed session
    // skips the check of the name, so none is kept.
    rejectUnauthorized: false,
    maxCachedSessions: 0,
    ...(certificates === null ? {} : ownCertificates(certificates)),
  })
  return (options, callback) => {
    // Empty where it is the scheme's own.
    const refusal = options.port === '' ? undefined : refusePort(Number(options.port))
    if (refusal !== undefined) {
      callback(new BlockedPortError(refusal), null)
      return
    }
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isAddressLiteral(host) && !guard.isAllowed(host)) {
      callback(new BlockedAddressError(host), null)
      return
    }
    connect(options, (error, socket) => {
      if (error !== null) {
        callback(error, null)
        return
      }
      const fault = socket instanceof TLSSocket ? findCertificateFault(socket) : undefined
      if (fault !== undefined) {
        socket.destroy()
        callback(fault, null)
        return
      }
      const address = socket.remoteAddress
      if (address !== undefined && guard.isAllowed(address)) {
        if (socket instanceof TLSSocket) limitHandshakes(socket)
        callback(null, socket)
        return
      }
      socket.destroy()
      // A socket that the other side has already reset has no address any more.
      callback(address === undefined ? new ResetAtOnceError() : new BlockedAddressError(address), null)
    })
  }
}

/**
 * Up to TLS 1.2 the other side may ask for another handshake whenever it likes, as IIS does once it knows for which path a certificate
 * is needed, and show other certificates in it. Each is verified by the one thread that makes all handshakes.
 */
function limitHandshakes(socket: TLSSocket): void {
  let repeats = 0
  socket.on('secure', () => {
    repeats += 1
    const fault = repeats > MOST_REPEATED_HANDSHAKES ? new HandshakesError() : findCertificateFault(socket)
    if (fault !== undefined) socket.destroy(fault)
  })
}

function ownCertificates({ authority, certificate, key }: EndpointCertificates) {
  return {
    ...(authority === null ? {} : { ca: authority }),
    ...(certificate === null || key === null ? {} : { cert: certificate, key }),
  }
}

/** A literal as URL.hostname spells it, without brackets; it is dialled without a look-up. */
function isAddressLiteral(host: string): boolean {
  return /^[\d.]+$|:/.test(host)
}

/** The other side asked for one handshake after the other. */
class HandshakesError extends Error {
  override readonly name = 'HandshakesError'
  readonly code = 'ERR_TLS_HANDSHAKES'
}

/** The connection stood and was gone in the same moment. */
class ResetAtOnceError extends Error {
  override readonly name = 'ResetAtOnceError'
  readonly code = 'ECONNRESET'
}

/** Whoever sends next hears which socket took the request. */
export interface DialledAddresses {
  next: ((socket: Socket, reused: boolean) => void) | undefined
  stop: () => void
}

/** undici tells a request's socket only through this channel, in the same turn as onRequestStart. */
export function watchDialledAddresses(): DialledAddresses {
  const used = new WeakSet<Socket>()
  const onHeaders = (message: unknown): void => {
    const { socket } = message as { socket: Socket }
    addresses.next?.(socket, used.has(socket))
    used.add(socket)
    addresses.next = undefined
  }
  const addresses: DialledAddresses = {
    next: undefined,
    stop: () => {
      unsubscribe('undici:client:sendHeaders', onHeaders)
    },
  }
  subscribe('undici:client:sendHeaders', onHeaders)
  return addresses
}

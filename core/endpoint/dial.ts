import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { isIP, type Socket } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'
import { refusePort } from '../domain/webhooks/refuse-port.ts'
import { findCertificateFault } from './tls/certificate-error.ts'
import type { EndpointCertificates } from './endpoint-access.ts'
import { BlockedAddressError, BlockedPortError, type AddressGuard } from './guard-address.ts'
import { digestChain, nameHost, type HandshakeWatch } from './tls/handshakes.ts'
import { createEndpointContext, secureSocket } from './tls/secure-socket.ts'

/** Limit for one open connection: one handshake to ask for a certificate, and one more. */
const MOST_REPEATED_HANDSHAKES = 2

/**
 * Checks the port and an address literal before they are dialled, every name when it resolves, the socket once it is
 * connected, and its certificate before anything is written.
 * @param order.timeoutMs for the connection, and as long again to secure it; the exchange has a clock of its own
 * @param order.certificates an authority to trust instead of the public ones, and a certificate to present to an
 * endpoint that asks
 * @param order.keptAs names the owner of these certificates
 * @param order.bindAddress the address of this machine from which it connects, and only to addresses of its family;
 * undefined: the system chooses
 */
export function guardedConnector(
  guard: AddressGuard,
  order: {
    timeoutMs: number
    certificates: EndpointCertificates | null
    keptAs: string | null
    handshakes: HandshakeWatch
    bindAddress?: string | undefined
  },
): buildConnector.connector {
  const { timeoutMs, certificates, keptAs, handshakes, bindAddress } = order
  const family = bindAddress === undefined ? {} : { family: isIP(bindAddress) }
  const connect = buildConnector({ lookup: guard.lookup, timeout: timeoutMs, allowH2: false, ...family })
  let made: SecureContext | undefined
  return (options, callback) => {
    // The port is empty if it is the scheme's own.
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
    const isSecure = options.protocol === 'https:'
    const context = isSecure ? (made ??= createEndpointContext(certificates)) : undefined
    const plain = {
      ...options,
      protocol: 'http:',
      port: options.port || (isSecure ? '443' : '80'),
      localAddress: bindAddress ?? null,
    }
    connect(plain, (error, socket) => {
      if (error !== null) {
        callback(error, null)
        return
      }
      const address = socket.remoteAddress
      if (address === undefined || !guard.isAllowed(address)) {
        socket.destroy()
        // A socket that the other side has already reset has no address any more.
        callback(address === undefined ? new ResetAtOnceError() : new BlockedAddressError(address), null)
        return
      }
      if (context === undefined) {
        callback(null, socket)
        return
      }
      const end = handshakes.begin(nameHost(options.hostname, options.port, keptAs))
      secureSocket(socket, { host, context, timeoutMs, end }, (fault, secured) => {
        if (secured === null) {
          callback(fault ?? new ResetAtOnceError(), null)
          return
        }
        limitHandshakes(secured, end)
        callback(null, secured)
      })
    })
  }
}

/**
 * Up to TLS 1.2 the other side may ask for another handshake at any time, and show other certificates in it. IIS does
 * so once it knows for which path a certificate is needed. The one thread that makes all handshakes verifies each of
 * them.
 */
function limitHandshakes(socket: TLSSocket, end: ReturnType<HandshakeWatch['begin']>): void {
  let repeats = 0
  socket.on('secure', () => {
    repeats += 1
    end(digestChain(socket))
    const fault = repeats > MOST_REPEATED_HANDSHAKES ? new HandshakesError() : findCertificateFault(socket)
    if (fault !== undefined) socket.destroy(fault)
  })
}

/** A literal as URL.hostname spells it, without brackets; it is dialled without a look-up. */
function isAddressLiteral(host: string): boolean {
  return /^[\d.]+$|:/.test(host)
}

/** The other side asked for too many handshakes. */
class HandshakesError extends Error {
  override readonly name = 'HandshakesError'
  readonly code = 'ERR_TLS_HANDSHAKES'
}

/** The connection was established and reset in the same moment. */
class ResetAtOnceError extends Error {
  override readonly name = 'ResetAtOnceError'
  readonly code = 'ECONNRESET'
}

/** Tells the next sender which socket took its request. */
export interface DialledAddresses {
  next: ((socket: Socket, reused: boolean) => void) | undefined
  stop: () => void
}

/** undici reveals a request's socket only through this channel, in the same turn as onRequestStart. */
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

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { buildConnector } from 'undici'
import { BlockedAddressError, type AddressGuard } from './guard-address.ts'

/** Checks a literal before it is dialled, every name as it resolves, and the socket once it stands. */
export function guardedConnector(guard: AddressGuard, timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({
    lookup: guard.lookup,
    timeout: timeoutMs,
    allowH2: false,
    minVersion: 'TLSv1.2',
  })
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (/^[\d.]+$|:/.test(host) && !guard.isAllowed(host)) {
      callback(new BlockedAddressError(host), null)
      return
    }
    connect(options, (error, socket) => {
      if (error !== null) {
        callback(error, null)
        return
      }
      const address = socket.remoteAddress
      if (address !== undefined && guard.isAllowed(address)) {
        callback(null, socket)
        return
      }
      socket.destroy()
      // A socket that the other side has already reset has no address any more.
      callback(address === undefined ? new ResetAtOnceError() : new BlockedAddressError(address), null)
    })
  }
}

/** The connection stood and was gone in the same moment. */
class ResetAtOnceError extends Error {
  override readonly name = 'ResetAtOnceError'
  readonly code = 'ECONNRESET'
}

/** Whoever sends next hears which socket took the request. */
export interface DialledAddresses {
  next: ((address: string | null, reused: boolean) => void) | undefined
  stop: () => void
}

/** undici tells a request's socket only through this channel, in the same turn as onRequestStart. */
export function watchDialledAddresses(): DialledAddresses {
  const used = new WeakSet<Socket>()
  const onHeaders = (message: unknown): void => {
    const { socket } = message as { socket: Socket }
    addresses.next?.(socket.remoteAddress ?? null, used.has(socket))
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

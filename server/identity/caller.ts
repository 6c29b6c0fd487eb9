import { isIP } from 'node:net'
import type { Request } from 'express'
import { findUnknownProxy, type UnknownProxy } from './find-unknown-proxy.ts'
import { isDeviceCookie, readCookies, type Cookie } from './read-cookies.ts'
import { networkOf } from './network-of.ts'

/** The origin of a request, for limits, sessions and the audit log. */
export interface Caller {
  ip: string
  /** the network that limits count by; for IPv6 the whole network of the address */
  network: string
  user_agent: string
  /** set if the address is that of a proxy that TRUST_PROXY does not name, and so of everybody behind it */
  proxy?: UnknownProxy
  /** cookies of this browser's earlier sign-ins, unverified (server/accounts/devices) */
  devices?: readonly Cookie[]
}

const LONGEST_USER_AGENT = 400

/**
 * Express applies `trust proxy`. A zone, or a forged header that is no address, must not reach an inet
 * column.
 */
export function readCaller(request: Request): Caller {
  const address = (request.ip ?? '').replace(/%.*$/, '')
  const ip = isIP(address) === 0 ? '::' : address
  const proxy = findUnknownProxy(request)
  const devices = readCookies(request).filter(({ name }) => isDeviceCookie(name))
  return {
    ip,
    network: networkOf(ip),
    // PostgreSQL's text holds no NUL. Node has already refused other control characters.
    user_agent: (request.get('User-Agent') ?? '').slice(0, LONGEST_USER_AGENT),
    ...(proxy !== undefined && { proxy }),
    ...(devices.length > 0 && { devices }),
  }
}

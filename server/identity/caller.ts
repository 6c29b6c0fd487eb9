import { isIP } from 'node:net'
import type { Request } from 'express'
import { networkOf } from './network-of.ts'

/** The origin of a request, for limits, sessions and the audit log. */
export interface Caller {
  ip: string
  /** the network that limits count by; for IPv6 the whole network of the address */
  network: string
  user_agent: string
}

const LONGEST_USER_AGENT = 400

/**
 * Express applies `trust proxy`. A zone, or a forged header that is no address, must not reach an inet
 * column.
 */
export function readCaller(request: Request): Caller {
  const address = (request.ip ?? '').replace(/%.*$/, '')
  const ip = isIP(address) === 0 ? '::' : address
  return {
    ip,
    network: networkOf(ip),
    // PostgreSQL's text holds no NUL. Node has already refused other control characters.
    user_agent: (request.get('User-Agent') ?? '').slice(0, LONGEST_USER_AGENT),
  }
}

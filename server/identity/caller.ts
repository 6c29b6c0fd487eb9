import { isIP } from 'node:net'
import type { Request } from 'express'
import { networkOf } from './network-of.ts'

/** From where a request comes, for limits, sessions and the audit log. */
export interface Caller {
  ip: string
  /** what limits count by; an IPv6 address' whole network */
  network: string
  user_agent: string
}

const LONGEST_USER_AGENT = 400

/** Express applies `trust proxy`; a zone or a forged header that is no address must not reach an inet column. */
export function readCaller(request: Request): Caller {
  const address = (request.ip ?? '').replace(/%.*$/, '')
  const ip = isIP(address) === 0 ? '::' : address
  return {
    ip,
    network: networkOf(ip),
    // PostgreSQL's text holds no NUL, and Node has already refused other control characters.
    user_agent: (request.get('User-Agent') ?? '').slice(0, LONGEST_USER_AGENT),
  }
}

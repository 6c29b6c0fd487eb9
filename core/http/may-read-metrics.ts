import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TrustedProxies } from '../config/trusted-proxies.ts'
import { isThisMachine } from './is-this-machine.ts'

/** The settings that decide which peers count as this machine (core/config). */
export interface TrustedAddresses {
  publicUrl: string
  apiUrl: string
  /** the proxies in front: their number or addresses */
  trustProxy: TrustedProxies
  metricsToken: string | undefined
}

/**
 * Whether this request may read `/metrics`: it has METRICS_TOKEN as its bearer token, or comes from this machine.
 * Behind a proxy every request seems to come from this machine, so there only the token counts.
 */
export function mayReadMetrics(request: IncomingMessage, trusted: TrustedAddresses): boolean {
  return bringsToken(request, trusted) || (trusted.trustProxy === 0 && isThisMachine(request, trusted))
}

/** Whether it has METRICS_TOKEN as its bearer token. */
export function bringsToken(
  request: IncomingMessage,
  { metricsToken }: Pick<TrustedAddresses, 'metricsToken'>,
): boolean {
  if (metricsToken === undefined) return false
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const [a, b] = [Buffer.from(given), Buffer.from(metricsToken)]
  return a.length === b.length && timingSafeEqual(a, b)
}

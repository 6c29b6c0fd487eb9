import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isThisMachine } from './is-this-machine.ts'

/** The settings that decide which peers count as this machine (core/config). */
export interface TrustedAddresses {
  publicUrl: string
  apiUrl: string
  /** how many proxies stand in front */
  trustProxy: number
  metricsToken: string | undefined
}

/**
 * May this request read `/metrics`? A bearer of METRICS_TOKEN may, and this machine. Behind a proxy everybody seems to be this
 * machine, so there only the token counts.
 */
export function mayReadMetrics(request: IncomingMessage, trusted: TrustedAddresses): boolean {
  return bringsToken(request, trusted) || (trusted.trustProxy === 0 && isThisMachine(request, trusted))
}

/** Does it bring METRICS_TOKEN as its bearer? */
export function bringsToken(
  request: IncomingMessage,
  { metricsToken }: Pick<TrustedAddresses, 'metricsToken'>,
): boolean {
  if (metricsToken === undefined) return false
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const [a, b] = [Buffer.from(given), Buffer.from(metricsToken)]
  return a.length === b.length && timingSafeEqual(a, b)
}

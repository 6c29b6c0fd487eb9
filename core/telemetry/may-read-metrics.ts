import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isThisMachine } from './is-this-machine.ts'

/**
 * May this request read `/metrics`? The loopback may, or a bearer of METRICS_TOKEN. Behind a proxy every request comes from
 * this machine, so there only the token counts.
 */
export function mayReadMetrics(request: IncomingMessage, token: string | undefined): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token !== undefined) {
    const [a, b] = [Buffer.from(given), Buffer.from(token)]
    if (a.length === b.length && timingSafeEqual(a, b)) return true
  }
  return isThisMachine(request)
}

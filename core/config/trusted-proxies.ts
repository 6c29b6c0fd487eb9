import { z } from 'zod'
import { familyOf, isNetwork } from './is-network.ts'

/** A number of proxies in front of the server, or their addresses and networks as Express's `trust proxy` takes them. */
export type TrustedProxies = number | string[]

const MOST_PROXIES = 10
/** Names of networks that Express knows. */
const KNOWN_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** TRUST_PROXY. A network of all addresses (`/0`) would let every stranger choose an address, so it is refused. */
export const trustedProxies = z.string().transform((text, ctx): TrustedProxies => {
  const given = text.trim()
  if (/^\d+$/.test(given) && Number(given) <= MOST_PROXIES) return Number(given)
  const items = given.split(',').map((item) => item.trim())
  if (items.every(isProxy)) return items
  ctx.addIssue({
    code: 'custom',
    message: `must be the number of proxies in front, from 0 to ${MOST_PROXIES}, or their addresses and networks, separated by commas, for example 10.0.0.5,172.16.0.0/12,loopback`,
  })
  return z.NEVER
})

function isProxy(item: string): boolean {
  if (KNOWN_NETWORKS.includes(item) || familyOf(item) !== 0) return true
  return isNetwork(item) && !/\/0+$/.test(item)
}

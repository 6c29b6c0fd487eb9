import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { findShortage } from './own-shortage.ts'
import { readEndpointUrl, type EndpointUrlReading } from '../domain/webhooks/endpoint-url.ts'
import { createLookUps, type LookUpLimits, type ResolveName } from './look-ups.ts'

/**
 * A name or address that must not be dialled. `address` is the host that was about to be dialled, never a path or
 * query.
 */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'
  readonly code = 'ERR_BLOCKED_ADDRESS'
  readonly address: string
  constructor(address: string) {
    super(`The address ${address} is not on the public internet`)
    this.address = address
  }
}

/** A port that must not be dialled. The message gives the reason in words for the client. */
export class BlockedPortError extends Error {
  override readonly name = 'BlockedPortError'
  readonly code = 'ERR_BLOCKED_PORT'
}

const KINDS: Readonly<Record<string, string>> = {
  private: 'private',
  uniqueLocal: 'private',
  loopback: 'this machine itself (loopback)',
  linkLocal: 'link-local',
  carrierGradeNat: 'private to a provider (carrier-grade NAT)',
  multicast: 'for multicast',
  unspecified: 'no address of a machine',
}

/** Describes why an address is refused, as the end of a sentence: "10.0.0.5 is … private". */
export function describeAddress(text: string): string {
  const kind = parse(text)?.range()
  return (kind === undefined ? undefined : KINDS[kind]) ?? 'not on the public internet'
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** Decides which addresses may be dialled. The same object serves the check at save and every connection. */
export interface AddressGuard {
  /** The check at save: form, scheme, name, port, and the address if the host is one. */
  checkUrl: (text: string) => EndpointUrlReading
  isAllowed: (address: string) => boolean
  /** The allowed private networks, for another process that applies the same rules. */
  allowedCidrs: readonly string[]
  /** Looks a name up within the limits, without judging its addresses. */
  resolve: ResolveName
  /**
   * A drop-in for dns.lookup that refuses a name if any of its addresses is bad. There is no second look-up, so
   * rebinding is not possible.
   */
  lookup: LookupFunction
}

// IANA special-purpose registries: addresses that are not globally reachable, and cloud metadata in public space
// (168.63.129.16).
const REFUSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
].map((network) => ipaddr.parseCIDR(network))
// IPv6 is an allow-list: only 2000::/3 is assigned, and these parts of it are special (Teredo, ORCHID, 6to4,
// documentation).
const PUBLIC_V6 = ipaddr.parseCIDR('2000::/3')
const REFUSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((network) =>
  ipaddr.parseCIDR(network),
)

// `localhost` means these addresses; a wider network such as 0.0.0.0/0 contains them too.
const LOOPBACK = [ipaddr.parse('127.0.0.1'), ipaddr.parse('::1')]

/**
 * The system's resolver may take half a minute; by then the attempt is over, and it would look as if its endpoint had
 * been asked.
 */
const LOOK_UP_MS = 10_000

/**
 * @param allowedCidrs private networks that endpoints may point at (WEBHOOK_ALLOWED_CIDRS)
 * @param resolve called once for each connection; the system's resolver unless given
 * @param limits of look-ups; the number at once is not limited unless given
 */
export function createAddressGuard(
  allowedCidrs: readonly string[],
  resolve: ResolveName = lookup,
  limits: Partial<LookUpLimits> = {},
): AddressGuard {
  const allowed = allowedCidrs.map((network) => ipaddr.parseCIDR(network))
  const resolveTogether = createLookUps(resolve, { mostMs: LOOK_UP_MS, mostUnsure: Infinity, ...limits })
  const isLoopback = ([address]: Network): boolean => address.range() === 'loopback'
  const policy = {
    allowLocalhost: allowed.some((network) => LOOPBACK.some((address) => contains(network, address))),
    allowPrivateNames: allowed.some((network) => !isLoopback(network)),
  }

  const isAllowed = (text: string): boolean => {
    const address = parse(text)
    if (address === undefined) return false
    if (allowed.some((network) => contains(network, address))) return true
    if (address.kind() === 'ipv4') return !REFUSED_V4.some((network) => contains(network, address))
    return contains(PUBLIC_V6, address) && !REFUSED_V6.some((network) => contains(network, address))
  }

  const lookUp: ResolveName = (hostname, options, callback) => {
    resolveTogether(hostname, options, (error, answers) => {
      callback(error === null ? null : (findShortage() ?? error), answers)
    })
  }
  const checkedLookup: LookupFunction = (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, answers) => {
      if (error !== null) {
        callback(error, '', 0)
        return
      }
      const found = answers
      const first = found[0]
      if (first === undefined) {
        callback(Object.assign(new Error('The name has no address'), { code: 'ENODATA' }), '', 0)
        return
      }
      const bad = found.find(({ address }) => !isAllowed(address))
      if (bad !== undefined) callback(new BlockedAddressError(bad.address), '', 0)
      else if (options.all === true) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }

  return {
    isAllowed,
    allowedCidrs,
    resolve: lookUp,
    lookup: checkedLookup,
    checkUrl: (text) => {
      const reading = readEndpointUrl(text, policy)
      if (!reading.ok) return reading
      const host = reading.url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
      if (isIP(host) !== 0 && !isAllowed(host)) {
        return {
          ok: false,
          reason: `The address ${host} is not on the public internet. Use a public address or host name.`,
        }
      }
      return reading
    },
  }
}

/**
 * An IPv4 address inside IPv6 (::ffff:0:0/96) is judged as the IPv4 address; a zone id is never dialled. Only full
 * spellings are accepted: what ipaddr.js reads leniently (1.2.3, octal parts), another reader may take for a different
 * address.
 */
function parse(text: string): Address | undefined {
  if (text.includes('%') || isIP(text) === 0) return undefined
  return ipaddr.process(text)
}

function contains(network: Network, address: Address): boolean {
  const [base, bits] = network
  if (address.kind() === 'ipv4') return base.kind() === 'ipv4' && (address as ipaddr.IPv4).match(base, bits)
  return base.kind() === 'ipv6' && (address as ipaddr.IPv6).match(base, bits)
}

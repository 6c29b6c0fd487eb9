import { isIP } from 'node:net'

/**
 * The unit that limits count by: an IPv4 address, or the /64 of an IPv6 address, which one line gets (RFC 6177). By
 * single IPv6 addresses, a subscriber would have as many tries as addresses. An IPv4-mapped IPv6 address (RFC 4291
 * §2.5.5.2) counts as its IPv4 address.
 * @param ip a valid address
 */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip
  // The shortest spelling, without a dotted tail.
  const { hostname } = new URL(`http://[${ip}]`)
  const [front = [], back = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0')
  const groups = [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16))
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups[5] === 0xff_ff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/**
 * The block of addresses of a network: the smallest that the internet routes by itself, /24 for IPv4 and /48
 * for IPv6. A caller who changes addresses at will (a home line has 256 IPv6 networks) seldom leaves it, and
 * about as many lines share each kind.
 * @param network as {@link networkOf} names it
 */
export function blockOf(network: string): string {
  const groups = network.split(':')
  return groups.length === 1 ? network.replace(/\d+$/, '0/24') : `${groups.slice(0, 3).join(':')}::/48`
}

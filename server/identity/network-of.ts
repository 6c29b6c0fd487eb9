import { isIP } from 'node:net'

/**
 * The unit that limits count by: an IPv4 address, but of IPv6 the whole /64 that one line is given (RFC 6177), or a single subscriber
 * would have as many tries as he has addresses. An IPv4 address in IPv6's clothes (RFC 4291 §2.5.5.2) is itself.
 * @param ip a valid address
 */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip
  // The one shortest spelling, without a dotted tail.
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
 * The block of addresses that a network is in: the smallest that the internet routes by itself, /24 of IPv4 and /48 of IPv6. Whoever may
 * change addresses at will (a line at home has 256 networks of IPv6) seldom leaves it, and about as many lines share each kind.
 * @param network as {@link networkOf} names it
 */
export function blockOf(network: string): string {
  const groups = network.split(':')
  return groups.length === 1 ? network.replace(/\d+$/, '0/24') : `${groups.slice(0, 3).join(':')}::/48`
}

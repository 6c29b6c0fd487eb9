import { BlockList } from 'node:net'
import type { Request } from 'express'

/** A proxy that forwards a request, though TRUST_PROXY does not name it. */
export interface UnknownProxy {
  /** its own address */
  peer: string
  /** the address that it says it forwards for; unproven */
  claimed: string
}

/** Addresses that only a network's own machines have (RFC 1918, 4193, 6598, 3927, 4291): a stranger comes from none. */
const OWN_NETWORKS = new BlockList()
for (const [network, bits, family] of [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const)
  OWN_NETWORKS.addSubnet(network, bits, family)

/**
 * The proxy of a request with forwarded headers from a private or loopback address that TRUST_PROXY does not cover. All
 * people behind it seem to have its address. Such headers from a public address are those of a stranger, and are
 * ignored.
 */
export function findUnknownProxy(request: Request): UnknownProxy | undefined {
  const { headers, socket, app } = request
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded
  if (forwarded === undefined || socket.remoteAddress === undefined) return undefined
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean
  if (isTrusted(socket.remoteAddress, 0)) return undefined
  const peer = socket.remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!OWN_NETWORKS.check(peer, peer.includes(':') ? 'ipv6' : 'ipv4')) return undefined
  const claimed = String(forwarded).split(',').at(-1)?.trim() ?? ''
  // A zone is of no use on another machine, and is no part of a URL.
  return { peer, claimed: claimed.replace(/%.*$/, '') }
}

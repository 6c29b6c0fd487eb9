import { isIP } from 'node:net'

/** Whether the text is a network in CIDR notation (RFC 4632), like `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  const family = familyOf(address)
  return family !== 0 && rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

/** 4 or 6; 0 if the text is no address, or one with a zone. */
export function familyOf(address: string): number {
  return address.includes('%') ? 0 : isIP(address)
}

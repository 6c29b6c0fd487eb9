import type { Request } from 'express'

export interface Cookie {
  name: string
  value: string
}

/** Begins the name of a cookie that a sign-in leaves in its browser, after `__Host-` where the address is secure. */
export const DEVICE_COOKIE = 'leadwire_device_'

export function isDeviceCookie(name: string): boolean {
  return name.replace(/^__Host-/, '').startsWith(DEVICE_COOKIE)
}

/** The cookies of a request. Browsers send the oldest first (RFC 6265 §5.4). */
export function readCookies(request: Request): Cookie[] {
  const { cookie } = request.headers
  if (cookie === undefined) return []
  return cookie.split(';').map((part) => {
    const [name = '', value = ''] = part.trim().split('=', 2)
    return { name, value }
  })
}

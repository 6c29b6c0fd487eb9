import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { DEVICE_COOKIE, type Cookie } from '#server/identity/read-cookies.ts'

/** A browser is known for this long after its last sign-in or refresh. */
export const DEVICE_SECONDS = 90 * 86_400

/** A browser in which somebody signed in, as its cookie states it. */
export interface KnownDevice {
  /** hides which account it is, and is equal for equal accounts */
  tag: string
  /** the browser's random id: 32 hexadecimal digits */
  device: string
  /** Unix seconds */
  expires: number
}

/**
 * Derives the key that signs the cookies of known browsers.
 * @param secretsKey base64
 */
export function deriveDeviceKey(secretsKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'leadwire known devices', 32))
}

/** The account's part of a cookie's name. */
export function tagOf(key: Buffer, userId: string): string {
  return createHmac('sha256', key).update(`account ${userId}`).digest('hex').slice(0, 32)
}

export function mintDevice(): string {
  return randomBytes(16).toString('hex')
}

/** Writes a cookie that proves that this account signed in with this browser. */
export function writeDeviceCookie(key: Buffer, known: KnownDevice): Cookie {
  const value = `${known.device}.${known.expires}.${sign(key, known).toString('base64url')}`
  return { name: DEVICE_COOKIE + known.tag, value }
}

/**
 * Reads a cookie of {@link writeDeviceCookie}.
 * @returns undefined if it is forged or expired
 * @param now Unix seconds
 */
export function readDeviceCookie(key: Buffer, { name, value }: Cookie, now: number): KnownDevice | undefined {
  const [, tag = ''] = new RegExp(`^(?:__Host-)?${DEVICE_COOKIE}([0-9a-f]{32})$`).exec(name) ?? []
  const [, device = '', expires = '', mac = ''] =
    /^([0-9a-f]{32})\.(\d{1,12})\.([\w-]{43})$/.exec(value) ?? []
  if (tag === '' || device === '' || Number(expires) <= now) return undefined
  const known = { tag, device, expires: Number(expires) }
  const [given, own] = [Buffer.from(mac, 'base64url'), sign(key, known)]
  return given.length === own.length && timingSafeEqual(given, own) ? known : undefined
}

function sign(key: Buffer, { tag, device, expires }: KnownDevice): Buffer {
  return createHmac('sha256', key).update(`device ${tag} ${device} ${expires}`).digest()
}

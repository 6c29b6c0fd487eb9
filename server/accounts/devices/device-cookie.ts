import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { PurposeKeys } from '#core/secrets/derived-keys.ts'
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

/** The account's part of the name of a new cookie. */
export function tagFor({ current }: PurposeKeys, userId: string): string {
  return tagOf(current, userId)
}

/** The account's part in the names of its cookies: SECRETS_KEY may have been rotated since they were written. */
export function tagsOf({ all }: PurposeKeys, userId: string): string[] {
  return all.map((key) => tagOf(key, userId))
}

function tagOf(key: Buffer, userId: string): string {
  return createHmac('sha256', key).update(`account ${userId}`).digest('hex').slice(0, 32)
}

export function mintDevice(): string {
  return randomBytes(16).toString('hex')
}

/** Writes a cookie that proves that this account signed in with this browser. */
export function writeDeviceCookie({ current }: PurposeKeys, known: KnownDevice): Cookie {
  const value = `${known.device}.${known.expires}.${sign(current, known).toString('base64url')}`
  return { name: DEVICE_COOKIE + known.tag, value }
}

/**
 * Reads a cookie of {@link writeDeviceCookie}.
 * @returns undefined if it is forged or expired
 * @param now Unix seconds
 */
export function readDeviceCookie(
  { all }: PurposeKeys,
  { name, value }: Cookie,
  now: number,
): KnownDevice | undefined {
  const [, tag = ''] = new RegExp(`^(?:__Host-)?${DEVICE_COOKIE}([0-9a-f]{32})$`).exec(name) ?? []
  const [, device = '', expires = '', mac = ''] =
    /^([0-9a-f]{32})\.(\d{1,12})\.([\w-]{43})$/.exec(value) ?? []
  if (tag === '' || device === '' || Number(expires) <= now) return undefined
  const known = { tag, device, expires: Number(expires) }
  const given = Buffer.from(mac, 'base64url')
  const isOurs = all.some((key) => {
    const own = sign(key, known)
    return given.length === own.length && timingSafeEqual(given, own)
  })
  return isOurs ? known : undefined
}

function sign(key: Buffer, { tag, device, expires }: KnownDevice): Buffer {
  return createHmac('sha256', key).update(`device ${tag} ${device} ${expires}`).digest()
}
